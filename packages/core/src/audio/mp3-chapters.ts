import { id3Bytes } from './mp3-info.ts'

/** A chapter of an audio file. */
export interface AudioChapter {
  title: string
  startSeconds: number
  endSeconds: number
}

/** A table of contents has one byte for their number. */
const maxChapters = 255
const unusedOffset = 0xffffffff
const isTopLevelAndOrdered = 3

/**
 * Writes chapters into an MP3 file, in place of an ID3 tag that it may have: players show them, and can jump to them. Sources:
 * ID3v2.3.0, and "ID3v2 Chapter Frame Addendum" of 2005.
 * @param chapters in order, at most 255; further ones are left out.
 */
export function addMp3Chapters(file: Uint8Array, chapters: readonly AudioChapter[]): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const marked = chapters.slice(0, maxChapters)
  if (marked.length === 0) return file
  const frames = Buffer.concat([writeContents(marked), ...marked.map(writeChapter)])
  return Buffer.concat([writeTagHeader(frames.length), frames, bytes.subarray(id3Bytes(bytes))])
}

const elementOf = (index: number) => Buffer.from(`chapter${index}\0`, 'latin1')

function writeContents(chapters: readonly AudioChapter[]): Buffer {
  const elements = chapters.map((_, index) => elementOf(index))
  const head = Buffer.from('contents\0', 'latin1')
  const facts = Buffer.from([isTopLevelAndOrdered, elements.length])
  return writeFrame('CTOC', Buffer.concat([head, facts, ...elements]))
}

function writeChapter({ title, startSeconds, endSeconds }: AudioChapter, index: number): Buffer {
  const times = Buffer.alloc(16)
  times.writeUInt32BE(Math.round(startSeconds * 1000), 0)
  times.writeUInt32BE(Math.round(endSeconds * 1000), 4)
  times.writeUInt32BE(unusedOffset, 8)
  times.writeUInt32BE(unusedOffset, 12)
  return writeFrame('CHAP', Buffer.concat([elementOf(index), times, writeTitle(title)]))
}

/** UTF-16 with a byte order mark, the only encoding of this version for all languages. */
function writeTitle(title: string): Buffer {
  return writeFrame(
    'TIT2',
    Buffer.concat([Buffer.from([1]), Buffer.from(`\ufeff${title}`, 'utf16le')]),
  )
}

function writeFrame(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(10)
  header.write(name, 0, 'latin1')
  header.writeUInt32BE(content.length, 4)
  return Buffer.concat([header, content])
}

/** The size has seven bits in each byte. */
function writeTagHeader(size: number): Buffer {
  const header = Buffer.from('ID3\x03\x00\x00\0\0\0\0', 'latin1')
  for (let index = 0; index < 4; index++) header[9 - index] = (size >>> (7 * index)) & 127
  return header
}
