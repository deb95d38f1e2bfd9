import { dlopen } from 'bun:ffi'

// https://man7.org/linux/man-pages/man2/PR_SET_DUMPABLE.2const.html and getrlimit.2.html (read 2026-11-21)
const PR_SET_DUMPABLE = 4
const RLIMIT_CORE = 4
/** The current limit and the one that it may be raised to. */
const NO_BYTES = new BigUint64Array([0n, 0n])
/** Of glibc, and of musl for both processors. */
const C_LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'] as const

export const DUMPS_POSSIBLE = 'a crash of this process may leave its secrets in a core dump (set LimitCORE=0)'

/**
 * Keeps what this process knows out of core dumps and away from debuggers of the same user. It does not survive a new program in
 * the same process. False where it is not possible; elsewhere than on Linux the system's own default has to do.
 */
export function forbidDumps(): boolean {
  return process.platform !== 'linux' || C_LIBRARIES.some(forbidBy)
}

function forbidBy(library: string): boolean {
  try {
    const { symbols } = dlopen(library, {
      prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
      setrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
    })
    const limited = symbols.setrlimit(RLIMIT_CORE, NO_BYTES) === 0
    return symbols.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n) === 0 && limited
  } catch {
    return false // not the library of this system
  }
}
