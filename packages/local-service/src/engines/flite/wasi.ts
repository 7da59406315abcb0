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
export function createWasi(options: WasiOptions): WebAssembly.ModuleImports {
  const programArguments = options.programArguments.map((text) => Buffer.from(`${text}\0`))
  const files = new Map<number, OpenFile>()
  let nextDescriptor = folderDescriptor + 1

  const bytes = () => new Uint8Array(options.memory().buffer)
  const view = () => new DataView(options.memory().buffer)
  const setUint32 = (address: number, value: number) => view().setUint32(address, value, true)
  const setUint64 = (address: number, value: bigint) => view().setBigUint64(address, value, true)

  /** The buffers of a scattered read or write. */
  function* vectors(address: number, count: number): Generator<Uint8Array, void> {
    for (let index = 0; index < count; index++) {
      const start = view().getUint32(address + index * 8, true)
      const length = view().getUint32(address + index * 8 + 4, true)
      yield bytes().subarray(start, start + length)
    }
  }

  return {
    args_sizes_get(countAddress: number, sizeAddress: number) {
      setUint32(countAddress, programArguments.length)
      setUint32(sizeAddress, Buffer.concat(programArguments).length)
      return success
    },
    args_get(pointersAddress: number, textAddress: number) {
      let address = textAddress
      for (const [index, text] of programArguments.entries()) {
        setUint32(pointersAddress + index * 4, address)
        bytes().set(text, address)
        address += text.length
      }
      return success
    },
    clock_time_get(_id: number, _precision: bigint, address: number) {
      setUint64(address, process.hrtime.bigint())
      return success
    },
    fd_prestat_get(descriptor: number, address: number) {
      if (descriptor !== folderDescriptor) return badFileDescriptor
      setUint32(address, 0)
      setUint32(address + 4, 1)
      return success
    },
    fd_prestat_dir_name(_descriptor: number, address: number) {
      bytes()[address] = '.'.charCodeAt(0)
      return success
    },
    fd_fdstat_get(descriptor: number, address: number) {
      bytes().fill(0, address, address + 24)
      view().setUint8(address, descriptor === folderDescriptor ? fileTypeFolder : fileTypeRegular)
      setUint64(address + 8, allRights)
      setUint64(address + 16, allRights)
      return success
    },
    fd_fdstat_set_flags: () => success,
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
      const name = Buffer.from(bytes().slice(nameAddress, nameAddress + nameLength)).toString()
      const file = options.open(name, { truncate: (openFlags & 8) !== 0 })
      if (!file) return noSuchFile
      files.set(nextDescriptor, file)
      setUint32(resultAddress, nextDescriptor++)
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
      setUint64(resultAddress, BigInt(file.position))
      return success
    },
    fd_read(descriptor: number, address: number, count: number, resultAddress: number) {
      const file = files.get(descriptor)
      let readBytes = 0
      for (const target of vectors(address, count)) {
        const part = file?.content?.subarray(file.position, file.position + target.length)
        if (!file || !part?.length) break
        target.set(part)
        file.position += part.length
        readBytes += part.length
      }
      setUint32(resultAddress, readBytes)
      return success
    },
    fd_write(descriptor: number, address: number, count: number, resultAddress: number) {
      const file = files.get(descriptor)
      let writtenBytes = 0
      for (const part of vectors(address, count)) {
        writtenBytes += part.length
        // Standard output and standard error have no file and are dropped.
        if (!file?.write) continue
        file.write(part, file.position)
        file.position += part.length
        file.sizeBytes = Math.max(file.sizeBytes, file.position)
      }
      setUint32(resultAddress, writtenBytes)
      return success
    },
    proc_exit(code: number) {
      throw new Error(`The program ended with code ${code}`)
    },
  }
}
