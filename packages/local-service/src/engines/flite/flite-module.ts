import { createHash } from 'node:crypto'
import { fstatSync, openSync, readSync } from 'node:fs'

/** Flite without its data, 17 MB, which stays in the file until a voice needs it. */
export interface FliteModule {
  code: WebAssembly.Module
  /** The descriptor of the file, which stays open, so that an update of the package does not replace the data. */
  file: number
  data: readonly DataRange[]
  /** The lowest address that Flite writes to. Below are only constants. */
  writableStart: number
  /** The address of the state of `rand()`, a 64-bit number. Absent if it is unknown. */
  noiseSeedAddress?: number
  /**
   * The place in the table `table`, which the code exports, of the function to which Flite passes sound while it makes it.
   * Absent if it is unknown.
   */
  streamCallbackIndex?: number
}

/** A part of the data: its place in the file, and the address where Flite expects it. */
export interface DataRange {
  address: number
  sizeBytes: number
  filePosition: number
  /** The voice that needs it; absent if all voices do. */
  voice?: string
}

/**
 * Addresses in the pinned version of the package. Since the code contains the same addresses, its hash identifies the
 * layout. If the hash differs, every voice loads all data, the seed of the noise is left as it is, and each sentence is
 * complete before any of it is heard.
 */
const layout = {
  codeSha256: '793aae572faed8082aac85cf85cb359212e18485b7c4fd15935ba853254c411d',
  /** Found by comparing the memory before and after speech. */
  noiseSeedAddress: 17_091_064,
  /** Flite's function `audio_stream_chunk`, from the section of its elements. */
  streamCallbackIndex: 2,
  /** The data of each voice, from the debug information. */
  ranges: [
    { start: 0, end: 172_048 },
    { start: 172_048, end: 1_554_656, voice: 'kal' },
    { start: 1_554_656, end: 4_055_968, voice: 'awb_time' },
    { start: 4_055_968, end: 8_012_336, voice: 'kal16' },
    { start: 8_012_336, end: 10_551_152, voice: 'awb' },
    { start: 10_551_152, end: 13_541_120, voice: 'rms' },
    { start: 13_541_120, end: 16_094_752, voice: 'slt' },
    { start: 16_094_752, end: Number.POSITIVE_INFINITY },
  ],
}

/**
 * Compiles only the code, 0.2 MB. V8 would keep the whole file in memory, with data and debug information, 21 MB.
 * Synchronous, since it runs on a thread that does nothing else.
 */
export function openFliteModule(path: string): FliteModule {
  const file = openSync(path, 'r')
  const { sections, segments } = readSections(file)
  const code = Buffer.concat(sections)
  const isKnown = createHash('sha256').update(code).digest('hex') === layout.codeSha256
  return {
    code: new WebAssembly.Module(isKnown ? Buffer.concat(sections.map(exportTable)) : code),
    file,
    data: isKnown ? segments.flatMap(splitByVoice) : segments,
    // The linker puts variables after constants.
    writableStart: segments.at(-1)!.address,
    noiseSeedAddress: isKnown ? layout.noiseSeedAddress : undefined,
    streamCallbackIndex: isKnown ? layout.streamCallbackIndex : undefined,
  }
}

function splitByVoice({ address, sizeBytes, filePosition }: DataRange): DataRange[] {
  return layout.ranges.flatMap((range) => {
    const start = Math.max(range.start, address)
    const end = Math.min(range.end, address + sizeBytes)
    if (start >= end) return []
    const { voice } = range
    return {
      address: start,
      sizeBytes: end - start,
      filePosition: filePosition + start - address,
      voice,
    }
  })
}

// The binary format: https://webassembly.github.io/spec/core/binary/modules.html
const preambleBytes = 8
const customSection = 0
const dataSection = 11
const maxHeaderBytes = 16

/** @returns the module without data and custom sections, in parts, and the places of the data. */
function readSections(file: number) {
  const { size } = fstatSync(file)
  const sections = [readBytes(file, 0, preambleBytes)]
  const segments: DataRange[] = []
  for (let position = preambleBytes; position < size; ) {
    const header = readBytes(file, position, maxHeaderBytes)
    const length = readInteger(header, 1)
    const start = position + length.end
    const end = start + length.value
    if (header[0] === dataSection) {
      segments.push(...readSegments(file, start))
    } else if (header[0] !== customSection) {
      sections.push(readBytes(file, position, end - position))
    }
    position = end
  }
  return { sections, segments }
}

const activeSegment = 0x00
const constant = 0x41
const endOfExpression = 0x0b

function readSegments(file: number, start: number): DataRange[] {
  const segments: DataRange[] = []
  const count = readInteger(readBytes(file, start, maxHeaderBytes), 0)
  let position = start + count.end
  while (segments.length < count.value) {
    const header = readBytes(file, position, maxHeaderBytes)
    const address = readInteger(header, 2)
    const isSupported =
      header[0] === activeSegment &&
      header[1] === constant &&
      header[address.end] === endOfExpression
    if (!isSupported) throw new Error('flite.wasm has a data segment without a constant address')
    const size = readInteger(header, address.end + 1)
    const filePosition = position + size.end
    segments.push({ address: address.value, sizeBytes: size.value, filePosition })
    position = filePosition + size.value
  }
  return segments
}

/** Reads an integer in LEB128: 7 bits per byte, the lowest first; the top bit marks that more follow. */
function readInteger(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  let end = start
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return { value, end }
  }
}

function readBytes(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, position)
  return bytes
}

const exportSection = 7
// Its name with its length, its kind (a table) and its index.
const entry = Buffer.from([5, ...Buffer.from('table'), 1, 0])

/**
 * Adds the table of functions to the exports of a module, as the option `--export-table` of its linker does.
 * @param section a section of the module whose export section is shorter than 100 bytes.
 * @returns the section; if it does not contain the exports, unchanged.
 */
function exportTable(section: Buffer): Buffer {
  if (section[0] !== exportSection) return section
  const [sizeBytes, count] = [section[1]!, section[2]!]
  const start = Buffer.from([exportSection, sizeBytes + entry.length, count + 1])
  return Buffer.concat([start, section.subarray(start.length), entry])
}
