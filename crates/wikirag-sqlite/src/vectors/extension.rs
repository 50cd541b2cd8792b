//! sqlite-vec for one connection of ours.

use std::ffi::{c_char, c_int, c_void};
use std::{mem, ptr};

use rusqlite::{Connection, ffi};

use crate::error::Fault;

/// What `sqlite3_vec_init` is in C. Its crate declares it without arguments.
type Init = unsafe extern "C" fn(*mut ffi::sqlite3, *mut *mut c_char, *const ffi::sqlite3_api_routines) -> c_int;

/// Gives the functions of sqlite-vec to this connection, and to no other of the process.
///
/// Virtual tables are taken away from it, those of SQLite's own too: we use none, and a file that comes from a
/// stranger could name one whose C code then reads whatever else is in the file.
#[expect(unsafe_code, reason = "SQLite has no other way to add an extension to a connection")]
pub(super) fn register(connection: &Connection) -> Result<(), Fault> {
    let mut message: *mut c_char = ptr::null_mut();
    // SAFETY: The C source defines `int sqlite3_vec_init(sqlite3 *, char **, const sqlite3_api_routines *)`, which is
    // `Init`.
    let init = unsafe { mem::transmute::<unsafe extern "C" fn(), Init>(sqlite_vec::sqlite3_vec_init) };
    // SAFETY: The connection is borrowed, so its handle is open and no other thread uses it; `message` outlives the
    // call. The table of routines is read by loadable builds only, and the crate compiles with `SQLITE_CORE`.
    let mut code = unsafe { init(connection.handle(), &raw mut message, ptr::null()) };
    // SAFETY: SQLite allocated the message, or it is null, which `sqlite3_free` takes.
    unsafe { ffi::sqlite3_free(message.cast::<c_void>()) };
    if code == ffi::SQLITE_OK {
        // SAFETY: The handle is open as above; a null list keeps no module.
        code = unsafe { ffi::sqlite3_drop_modules(connection.handle(), ptr::null_mut()) };
    }
    if code == ffi::SQLITE_OK {
        Ok(())
    } else {
        Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_come_and_virtual_tables_go() {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        let version: String = connection.query_row("SELECT vec_version()", [], |row| row.get(0)).unwrap();
        assert_eq!(version, "v0.1.9");
        let made = connection.execute_batch("CREATE VIRTUAL TABLE strange USING vec0(x float[4])");
        assert!(made.unwrap_err().to_string().contains("no such module"));
        let other = Connection::open_in_memory().unwrap();
        assert!(other.query_row("SELECT vec_version()", [], |row| row.get::<_, String>(0)).is_err());
    }
}
