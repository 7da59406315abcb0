import { once } from 'node:events'
import { endProcess, startProcess } from '../shared/run-process.js'
import { createSentences } from '../shared/sentences.js'
import { pageName } from './flow.js'

const pageCount = 50
const announcementCount = 30
const mebibyte = 1024 * 1024

/** Announces on many pages at once. */
export async function measurePages(baseUrl, announcements) {
  const program = new URL('pages-process.js', import.meta.url)
  const { child } = await startProcess(program, { task: { baseUrl, pageCount } })
  const sentences = createSentences(2 * announcementCount).slice(announcementCount)
  const before = process.memoryUsage().rss
  for (const text of sentences) await announcements.say(text, pageName)
  const addedMiB = (process.memoryUsage().rss - before) / mebibyte
  child.send('result')
  const [{ maxSilentMs }] = await once(child, 'message')
  await endProcess(child)
  return { what: `${pageCount} pages at once`, requests: announcementCount, maxSilentMs, addedMiB }
}
