import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useExample } from '@parlando/test-support/node-red/example'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { expect, it, onTestFinished, vi } from 'vitest'

const example = useExample('25 - A book with chapters.json')

it('writes an MP3 file whose chapters a player shows', {
  ...needs('ffprobe'),
  timeout: 180_000,
}, async () => {
  await example.press('make the book')
  const [shown] = await vi.waitFor(() => example.debugTexts('the chapters', 1), 80_000)
  const chapters = JSON.parse(shown!) as { title: string; startSeconds: number }[]
  expect(chapters.map(({ title }) => title)).toEqual([
    'The lamp in the window',
    'The stranger',
    'The other windows',
    'The last evening',
    'What became of the list',
  ])
  await example.debugTexts('written', 1)

  const folder = mkdtempSync(join(tmpdir(), 'parlando-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'book.mp3')
  writeFileSync(path, await example.read('book.mp3'))
  const options = ['-v', 'error', '-show_chapters', '-show_format', '-of', 'json', path]
  const read = JSON.parse(execFileSync('ffprobe', options, { encoding: 'utf8' }))
  const inFile = read.chapters as {
    tags: { title: string }
    start_time: string
    end_time: string
  }[]
  expect(inFile.map(({ tags }) => tags.title)).toEqual(chapters.map(({ title }) => title))
  expect(Number(inFile[1]!.start_time)).toBeCloseTo(chapters[1]!.startSeconds, 2)
  expect(Math.abs(Number(read.format.duration) - Number(inFile.at(-1)!.end_time))).toBeLessThan(1)
  expect(Number(read.format.duration)).toBeGreaterThan(120)
})
