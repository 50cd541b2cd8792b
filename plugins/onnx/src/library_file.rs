//! Whether a file looks like a library that this machine can load, from its head alone.
//!
//! A loader refuses most wrong files by itself, with a sentence that helps nobody; a library that was cut short it maps,
//! and the process dies later. Machines and formats that are not listed here are left to the loader.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Longer than any head: the format, and where the parts lie.
const HEAD: u64 = 4096;

/// Looks at the head of the file.
///
/// # Errors
/// A sentence that says what is off about the file.
pub(crate) fn examine(path: &Path) -> Result<(), String> {
    let read = || -> io::Result<(Vec<u8>, u64)> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut head = Vec::new();
        file.take(HEAD).read_to_end(&mut head)?;
        Ok((head, length))
    };
    let (head, length) = read().map_err(|error| format!("it cannot be read: {error}"))?;
    let head = Head { bytes: &head, little: true };
    match std::env::consts::OS {
        "linux" | "android" | "freebsd" => elf(head, length, std::env::consts::ARCH),
        "macos" => mach_o(head, std::env::consts::ARCH),
        "windows" => pe(head, std::env::consts::ARCH),
        _ => Ok(()),
    }
}

/// Numbers at places of the head, in one byte order. What lies beyond it is 0.
#[derive(Clone, Copy)]
struct Head<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl Head<'_> {
    fn number(self, at: u64, width: usize) -> u64 {
        let bytes = usize::try_from(at).ok().and_then(|at| self.bytes.get(at..at.checked_add(width)?));
        let put = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match bytes {
            None => 0,
            Some(bytes) if self.little => bytes.iter().rev().fold(0, put),
            Some(bytes) => bytes.iter().fold(0, put),
        }
    }

    fn big(self) -> Self {
        Self { little: false, ..self }
    }
}

fn for_another(found: &str, wanted: &str) -> String {
    format!("it is made for another machine ({found}, this one is {wanted})")
}

/// ELF: the machine, and whether the parts that are mapped lie in the file.
fn elf(head: Head<'_>, length: u64, arch: &str) -> Result<(), String> {
    const MACHINES: &[(u64, &str)] = &[
        (3, "x86"),
        (21, "powerpc64"),
        (22, "s390x"),
        (40, "arm"),
        (62, "x86_64"),
        (183, "aarch64"),
        (243, "riscv64"),
        (258, "loongarch64"),
    ];
    const SHARED: u64 = 3;
    const LOAD: u64 = 1;
    if !head.bytes.starts_with(b"\x7fELF") || head.bytes.len() < 64 {
        return Err("it is no shared library".to_owned());
    }
    let (wide, little) = (head.bytes[4] == 2, head.bytes[5] == 1);
    let head = Head { little, ..head };
    let machine = head.number(18, 2);
    let name = MACHINES.iter().find(|(number, _)| *number == machine).map(|(_, name)| *name);
    if MACHINES.iter().any(|(_, known)| *known == arch) && name != Some(arch) {
        return Err(for_another(name.unwrap_or("an unknown one"), arch));
    }
    if head.number(16, 2) != SHARED {
        return Err("it is a program or an object file, no shared library".to_owned());
    }
    let (table, entry, count) = if wide {
        (head.number(32, 8), head.number(54, 2), head.number(56, 2))
    } else {
        (head.number(28, 4), head.number(42, 2), head.number(44, 2))
    };
    for part in 0..count {
        let at = table.saturating_add(part * entry);
        let (start, size) = if wide {
            (head.number(at.saturating_add(8), 8), head.number(at.saturating_add(32), 8))
        } else {
            (head.number(at.saturating_add(4), 4), head.number(at.saturating_add(16), 4))
        };
        if head.number(at, 4) == LOAD && start.saturating_add(size) > length {
            return Err(format!("it is cut short: {length} bytes are there, a part of it ends at {}", start + size));
        }
    }
    Ok(())
}

/// Mach-O: the processor, or one of those in a file for several.
fn mach_o(head: Head<'_>, arch: &str) -> Result<(), String> {
    const PROCESSORS: &[(u64, &str)] = &[(0x0100_0007, "x86_64"), (0x0100_000c, "aarch64")];
    let wanted = PROCESSORS.iter().find(|(_, name)| *name == arch).map(|(number, _)| *number);
    let found: Vec<u64> = match (head.number(0, 4), head.big().number(0, 4)) {
        (0xfeed_facf, _) => vec![head.number(4, 4)],
        (_, 0xcafe_babe) => {
            let count = head.big().number(4, 4).min(16);
            (0..count).map(|entry| head.big().number(8 + 20 * entry, 4)).collect()
        }
        _ => return Err("it is no dynamic library".to_owned()),
    };
    match wanted {
        Some(wanted) if !found.contains(&wanted) => {
            let name = PROCESSORS.iter().find(|(number, _)| found.contains(number)).map(|(_, name)| *name);
            Err(for_another(name.unwrap_or("an unknown one"), arch))
        }
        _ => Ok(()),
    }
}

/// PE: the machine.
fn pe(head: Head<'_>, arch: &str) -> Result<(), String> {
    const MACHINES: &[(u64, &str)] = &[(0x14c, "x86"), (0x8664, "x86_64"), (0xaa64, "aarch64")];
    let at = head.number(0x3c, 4);
    if !head.bytes.starts_with(b"MZ") || head.big().number(at, 4) != 0x5045_0000 {
        return Err("it is no dynamic-link library".to_owned());
    }
    let machine = head.number(at + 4, 2);
    let name = MACHINES.iter().find(|(number, _)| *number == machine).map(|(_, name)| *name);
    if MACHINES.iter().any(|(_, known)| *known == arch) && name != Some(arch) {
        return Err(for_another(name.unwrap_or("an unknown one"), arch));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(bytes: &[u8]) -> Head<'_> {
        Head { bytes, little: true }
    }

    fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
        bytes[at..at + value.len()].copy_from_slice(value);
    }

    /// A 64-bit ELF library for x86-64 whose one part ends at byte 1000.
    fn elf_head() -> Vec<u8> {
        let mut bytes = vec![0; 128];
        put(&mut bytes, 0, b"\x7fELF\x02\x01");
        put(&mut bytes, 16, &[3, 0, 62, 0]);
        put(&mut bytes, 32, &[64]);
        put(&mut bytes, 54, &[56, 0, 1, 0]);
        put(&mut bytes, 64, &[1]);
        put(&mut bytes, 64 + 8, &200u64.to_le_bytes());
        put(&mut bytes, 64 + 32, &800u64.to_le_bytes());
        bytes
    }

    #[test]
    fn elf_is_told_by_machine_kind_and_length() {
        let good = elf_head();
        assert_eq!(elf(head(&good), 1000, "x86_64"), Ok(()));
        assert_eq!(elf(head(&good), 1000, "sparc64"), Ok(()), "not listed: left to the loader");
        assert!(elf(head(&good), 999, "x86_64").unwrap_err().contains("cut short"));
        assert!(elf(head(&good), 1000, "aarch64").unwrap_err().contains("another machine (x86_64"));
        assert!(elf(head(b"\x7fELF"), 4, "x86_64").is_err());
        assert!(elf(head(b"#!/bin/sh\n"), 10, "x86_64").is_err());
        let mut program = good;
        program[16] = 2;
        assert!(elf(head(&program), 1000, "x86_64").unwrap_err().contains("no shared library"));
    }

    #[test]
    fn any_head_is_survived() {
        let mut bytes = elf_head();
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let before = std::mem::replace(&mut bytes[at], value);
                let _ = elf(head(&bytes), 1000, "x86_64");
                let _ = (mach_o(head(&bytes), "x86_64"), pe(head(&bytes), "x86_64"));
                bytes[at] = before;
            }
        }
        let _ = pe(head(&[b"MZ".as_slice(), &[0xff; 0x60]].concat()), "x86_64");
    }

    #[test]
    fn mach_o_may_hold_several_machines() {
        let thin = [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1];
        assert_eq!(mach_o(head(&thin), "aarch64"), Ok(()));
        assert!(mach_o(head(&thin), "x86_64").unwrap_err().contains("another machine (aarch64"));
        let mut fat = vec![0; 64];
        put(&mut fat, 0, &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2]);
        put(&mut fat, 8, &[1, 0, 0, 7]);
        put(&mut fat, 28, &[1, 0, 0, 0x0c]);
        assert_eq!((mach_o(head(&fat), "x86_64"), mach_o(head(&fat), "aarch64")), (Ok(()), Ok(())));
        assert!(mach_o(head(b"text"), "aarch64").is_err());
    }

    #[test]
    fn pe_is_told_by_its_machine() {
        let mut bytes = vec![0; 0x90];
        put(&mut bytes, 0, b"MZ");
        put(&mut bytes, 0x3c, &[0x80]);
        put(&mut bytes, 0x80, b"PE\0\0\x64\x86");
        assert_eq!(pe(head(&bytes), "x86_64"), Ok(()));
        assert!(pe(head(&bytes), "aarch64").unwrap_err().contains("another machine (x86_64"));
        assert!(pe(head(b"MZ"), "x86_64").is_err());
    }
}
