import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addMp3Chapters } from './mp3-chapters.ts'
import { id3Bytes } from './mp3-info.ts'

/** Silent frames of 24 ms, of MPEG-1 with 128 kbit/s at 48 kHz. */
function silence(frames: number): Buffer {
  const frame = Buffer.alloc(384)
  frame.writeUInt32BE(0xfffb9464, 0)
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

const chapters = [
  { title: 'The door', startSeconds: 0, endSeconds: 1.2 },
  { title: '猫 & Öl', startSeconds: 1.2, endSeconds: 2.4 },
]

describe('chapters of an MP3 file', () => {
  it('stand before the audio, which stays as it is, in place of an earlier tag', () => {
    const audio = silence(100)
    const once = addMp3Chapters(audio, chapters)
    const twice = addMp3Chapters(once, chapters)
    expect(Buffer.from(twice)).toEqual(Buffer.from(once))
    const tag = Buffer.from(once).subarray(0, id3Bytes(Buffer.from(once)))
    expect(Buffer.from(once).subarray(tag.length)).toEqual(audio)
  })

  it('are left out if there are none', () => {
    const audio = silence(1)
    expect(addMp3Chapters(audio, [])).toBe(audio)
  })

  it('are 255 at most', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      title: `${index}`,
      startSeconds: index,
      endSeconds: index + 1,
    }))
    const tag = Buffer.from(addMp3Chapters(silence(1), many)).toString('latin1')
    expect(tag.match(/CHAP/g)).toHaveLength(255)
  })
})

describe('a player', needs('ffprobe'), () => {
  it('reads the titles and times', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlando-chapters-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'book.mp3')
    writeFileSync(path, addMp3Chapters(silence(100), chapters))
    const options = ['-v', 'error', '-show_chapters', '-of', 'json', path]
    const read = JSON.parse(execFileSync('ffprobe', options, { encoding: 'utf8' }))
    const shown = read.chapters.map(
      (chapter: { start_time: string; end_time: string; tags: { title: string } }) => ({
        title: chapter.tags.title,
        startSeconds: Number(chapter.start_time),
        endSeconds: Number(chapter.end_time),
      }),
    )
    expect(shown).toEqual(chapters)
  })
})
