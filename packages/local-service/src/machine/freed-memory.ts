import { createRequire } from 'node:module'

/**
 * Returns memory that was freed to the system. The allocator of glibc keeps what threads have freed, in the belief that they will
 * need it again: 25 MiB after a thread with a natural voice. Elsewhere, and without koffi, nothing happens. Takes some
 * milliseconds, in which nothing else runs, so it is meant for moments without work.
 */
export function returnFreedMemory(): void {
  if (process.platform !== 'linux') return
  try {
    const koffi: Koffi = createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`)
    trim ??= koffi.load('libc.so.6').func('int malloc_trim(size_t)')
    trim(0)
  } catch {
    // An optional package, and a function of glibc alone.
  }
}

/** The functions of koffi in use. */
interface Koffi {
  load(path: string): { func(declaration: string): (value: number) => unknown }
}

let trim: ((keptBytes: number) => unknown) | undefined
