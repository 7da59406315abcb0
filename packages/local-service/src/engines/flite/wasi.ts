/**
 * The calls of WASI preview 1 that flite needs: arguments, files in one folder and the clock. `node:wasi` is not used,
 * because it needs files on disk and prints an experimental warning.
 */

const success = 0
const badFileDescriptor = 8
const noSuchFile = 44

const folderDescriptor = 3
const fileTypeFolder = 3
const fileTypeRegular = 4
const allRights = 0xffffffffn

/** A file that the program has opened. */
export interface OpenFile {
  /** The content; absent in a file that is only written. */
  content?: Uint8Array
  /** Absent in a file that is only read. */
  write?(bytes: Uint8Array, position: number): void
  position: number
  sizeBytes: number
}

export interface WasiOptions {
  programArguments: readonly string[]
  /** @returns the file, or `undefined` if it does not exist. */
  open(name: string, flags: { truncate: boolean }): OpenFile | undefined
  memory(): WebAssembly.Memory
}

/** Creates the import object `wasi_snapshot_preview1`. */
export function createWasi({
  programArguments,
  open,
  memory,
}: WasiOptions): WebAssembly.ModuleImports {
  const access = new MemoryAccess(memory)
  return {
    ...argumentCalls(programArguments, access),
    ...folderCalls(access),
    ...fileCalls(open, access),
    clock_time_get(_id: number, _precision: bigint, address: number) {
      access.setUint64(address, process.hrtime.bigint())
      return success
    },
    proc_exit(code: number) {
      throw new Error(`The program ended with code ${code}`)
    },
  }
}

/** Reads and writes the memory of the program, which may grow between two calls. */
class MemoryAccess {
  readonly #memory: () => WebAssembly.Memory

  constructor(memory: () => WebAssembly.Memory) {
    this.#memory = memory
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory().buffer)
  }

  get view(): DataView {
    return new DataView(this.#memory().buffer)
  }

  setUint32(address: number, value: number): void {
    this.view.setUint32(address, value, true)
  }

  setUint64(address: number, value: bigint): void {
    this.view.setBigUint64(address, value, true)
  }

  /** The buffers of a scattered read or write. */
  *vectors(address: number, count: number): Generator<Uint8Array, void> {
    for (let index = 0; index < count; index++) {
      const start = this.view.getUint32(address + index * 8, true)
      const length = this.view.getUint32(address + index * 8 + 4, true)
      yield this.bytes.subarray(start, start + length)
    }
  }
}

function argumentCalls(texts: readonly string[], access: MemoryAccess) {
  const programArguments = texts.map((text) => Buffer.from(`${text}\0`))
  return {
    args_sizes_get(countAddress: number, sizeAddress: number) {
      access.setUint32(countAddress, programArguments.length)
      access.setUint32(sizeAddress, Buffer.concat(programArguments).length)
      return success
    },
    args_get(pointersAddress: number, textAddress: number) {
      let address = textAddress
      for (const [index, text] of programArguments.entries()) {
        access.setUint32(pointersAddress + index * 4, address)
        access.bytes.set(text, address)
        address += text.length
      }
      return success
    },
  }
}

function folderCalls(access: MemoryAccess) {
  return {
    fd_prestat_get(descriptor: number, address: number) {
      if (descriptor !== folderDescriptor) return badFileDescriptor
      access.setUint32(address, 0)
      access.setUint32(address + 4, 1)
      return success
    },
    fd_prestat_dir_name(_descriptor: number, address: number) {
      access.bytes[address] = '.'.charCodeAt(0)
      return success
    },
    fd_fdstat_get(descriptor: number, address: number) {
      const type = descriptor === folderDescriptor ? fileTypeFolder : fileTypeRegular
      access.bytes.fill(0, address, address + 24)
      access.view.setUint8(address, type)
      access.setUint64(address + 8, allRights)
      access.setUint64(address + 16, allRights)
      return success
    },
    fd_fdstat_set_flags: () => success,
  }
}

function fileCalls(open: WasiOptions['open'], access: MemoryAccess) {
  const files = new Map<number, OpenFile>()
  let nextDescriptor = folderDescriptor + 1
  return {
    path_open(
      _folder: number,
      _lookup: number,
      nameAddress: number,
      nameLength: number,
      openFlags: number,
      _rights: bigint,
      _inherited: bigint,
      _fileFlags: number,
      resultAddress: number,
    ) {
      // A copy: text decoders reject views of shared memory, and opening the file may grow the memory.
      const bytes = access.bytes.slice(nameAddress, nameAddress + nameLength)
      const file = open(Buffer.from(bytes).toString(), { truncate: (openFlags & 8) !== 0 })
      if (!file) return noSuchFile
      files.set(nextDescriptor, file)
      access.setUint32(resultAddress, nextDescriptor++)
      return success
    },
    fd_close(descriptor: number) {
      files.delete(descriptor)
      return success
    },
    fd_seek(descriptor: number, offset: bigint, whence: number, resultAddress: number) {
      const file = files.get(descriptor)
      if (!file) return badFileDescriptor
      const base = [0, file.position, file.sizeBytes][whence] ?? 0
      file.position = base + Number(offset)
      access.setUint64(resultAddress, BigInt(file.position))
      return success
    },
    fd_read(descriptor: number, address: number, count: number, resultAddress: number) {
      access.setUint32(resultAddress, read(files.get(descriptor), access.vectors(address, count)))
      return success
    },
    fd_write(descriptor: number, address: number, count: number, resultAddress: number) {
      access.setUint32(resultAddress, write(files.get(descriptor), access.vectors(address, count)))
      return success
    },
  }
}

function read(file: OpenFile | undefined, targets: Iterable<Uint8Array>): number {
  let readBytes = 0
  for (const target of targets) {
    const part = file?.content?.subarray(file.position, file.position + target.length)
    if (!file || !part?.length) break
    target.set(part)
    file.position += part.length
    readBytes += part.length
  }
  return readBytes
}

/** Standard output and standard error have no file and are dropped. */
function write(file: OpenFile | undefined, parts: Iterable<Uint8Array>): number {
  let writtenBytes = 0
  for (const part of parts) {
    writtenBytes += part.length
    if (!file?.write) continue
    file.write(part, file.position)
    file.position += part.length
    file.sizeBytes = Math.max(file.sizeBytes, file.position)
  }
  return writtenBytes
}
