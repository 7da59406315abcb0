import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AnnouncementReport } from '../../announcements/announcement.ts'
import { Reader } from './reader.ts'
import type { ReadAloudText } from './reading.ts'

const said = { priority: 'info', status: 'said', speakers: [], times: 1 } satisfies Omit<
  AnnouncementReport,
  'id'
>

function textOf(id: string, isPaused = false): ReadAloudText {
  return {
    id,
    message: { _msgid: id } as ReadAloudText['message'],
    sentences: [`${id} came.`],
    index: 0,
    order: 0,
    isPaused,
    hasBegun: false,
    speakers: [],
    send() {},
    end() {},
  }
}

/** A reader whose speaker says a text until the test lets it end. */
function createReader() {
  let now: { id: string; finish(): void } | undefined
  const over: string[] = []
  const reader = new Reader({
    say: ({ id }, signal) =>
      new Promise((resolve, reject) => {
        const report: AnnouncementReport = { id, ...said }
        now = { id, finish: () => resolve({ report, to: 1 }) }
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
    onMove() {},
    onEnd: ({ id }) => void over.push(id),
    onFailure() {},
    onChange() {},
  })
  onTestFinished(() => reader.close())
  const says = (id: string) => vi.waitFor(() => expect(now?.id).toBe(id))
  const endsWith = async (...ids: string[]) => {
    for (const id of ids) {
      await says(id)
      now!.finish()
      await vi.waitFor(() => expect(over.at(-1)).toBe(id))
    }
  }
  const order = () => reader.readings.map(({ id, order }) => [id, order])
  return { reader, says, endsWith, order }
}

describe('texts of before a restart, after the text of a message that arrived earlier', () => {
  it('are read first, and the new one after them', async () => {
    const { reader, says, endsWith, order } = createReader()
    reader.add(textOf('new'))
    await says('new')
    reader.restore([textOf('first'), textOf('second')])
    expect(order()).toEqual([
      ['first', 0],
      ['second', 1],
      ['new', 2],
    ])
    await endsWith('first', 'second', 'new')
  })

  it('are read once if a new one among them has been saved already', async () => {
    const { reader, says, endsWith, order } = createReader()
    reader.add(textOf('new'))
    await says('new')
    reader.restore([textOf('first'), textOf('new')])
    expect(order()).toEqual([
      ['first', 0],
      ['new', 1],
    ])
    await endsWith('first', 'new')
  })

  it('stay behind it if the first one is paused', async () => {
    const { reader, says, endsWith, order } = createReader()
    reader.add(textOf('new'))
    await says('new')
    reader.restore([textOf('paused', true), textOf('second')])
    expect(order()).toEqual([
      ['new', 0],
      ['paused', 1],
      ['second', 2],
    ])
    expect(reader.isReading).toBe(true)
    await endsWith('new')
    reader.resume()
    await endsWith('paused', 'second')
  })
})
