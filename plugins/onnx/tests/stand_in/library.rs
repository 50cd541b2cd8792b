//! A library that stands in for ONNX Runtime and has one fault, chosen by `--cfg fault="..."`. It is compiled by tests.

use std::ffi::{c_char, c_void};

#[repr(C)]
pub struct Base {
    get_api: extern "C" fn(u32) -> *const c_void,
    get_version: extern "C" fn() -> *const c_char,
}

extern "C" fn get_api(_: u32) -> *const c_void {
    std::ptr::null()
}

extern "C" fn get_version() -> *const c_char {
    if cfg!(fault = "old") { c"1.10.0".as_ptr() } else { c"1.99.0".as_ptr() }
}

static BASE: Base = Base { get_api, get_version };

#[cfg(not(fault = "foreign"))]
#[unsafe(no_mangle)]
pub extern "C" fn OrtGetApiBase() -> *const Base {
    if cfg!(fault = "aborts") {
        std::process::abort();
    }
    if cfg!(fault = "exits") {
        std::process::exit(0);
    }
    #[cfg(all(fault = "illegal", target_arch = "x86_64"))]
    // SAFETY: it ends the process, which is the point.
    unsafe {
        std::arch::asm!("ud2")
    }
    #[cfg(all(fault = "illegal", target_arch = "aarch64"))]
    // SAFETY: it ends the process, which is the point.
    unsafe {
        std::arch::asm!("udf #0")
    }
    while cfg!(fault = "hangs") {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    &BASE
}
