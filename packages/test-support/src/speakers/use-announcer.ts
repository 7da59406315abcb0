import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { Announcement } from '../../../node-red-nodes/src/announcements/announcement.ts'
import { Announcer } from '../../../node-red-nodes/src/announcements/announcer.ts'
import { soundOf } from '../../../node-red-nodes/src/sounds/sound.ts'
import type { Speaker } from '../../../node-red-nodes/src/speakers/speaker.ts'
import { speakerTexts } from '../node-red/fake-red.ts'
import { createFakeSpeaker } from './fake-speaker.ts'

/** Sets the clock to noon before each test of a file; it goes on with {@link seconds}. */
export function useFakeClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

type Changes = Partial<Announcement> & { seconds?: number; signal?: AbortSignal }

/** An announcer with a speaker, and a function that announces a text of some seconds there. */
export function useAnnouncer(kitchen = createFakeSpeaker('kitchen')) {
  const pendingAlarms: string[][] = []
  const announcer = new Announcer(speakerTexts.en, (alarms) => {
    pendingAlarms.push(alarms.map(({ id, text, devices }) => `${id} ${text} ${devices}`))
  })
  const states: string[] = []
  let count = 0
  const announce = (text: string, changes: Changes = {}) => {
    const { seconds = 2, signal = new AbortController().signal, ...own } = changes
    const announcement: Announcement = {
      id: `${++count}`,
      speakers: [kitchen],
      findSpeakers: () => announcement.speakers,
      priority: 'normal',
      text,
      makeSound: ({ format }) => soundOf(format, new Uint8Array(48_000 * seconds)),
      addressOutput: { check() {}, send() {} },
      ...own,
    }
    const onStateChange = (state: string, where: readonly Speaker[]) => {
      const others = where.filter((speaker) => !announcement.speakers.includes(speaker))
      const on = others.map(({ name }) => ` on ${name}`).join()
      states.push(`${text}: ${state}${on}`)
    }
    const onFailure = () => void states.push(`${text}: failed`)
    return announcer.announce(announcement, { signal, onStateChange, onFailure })
  }
  return { announcer, announce, kitchen, states, pendingAlarms, texts: () => textsOn(kitchen) }
}

/** What a speaker has played, in order; a text that was cut ends with three dots. */
export function textsOn({ played }: ReturnType<typeof createFakeSpeaker>) {
  return played.map(({ text, isWhole }) => (isWhole ? text : `${text}...`))
}

export const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)
export const said = expect.objectContaining({ status: 'said' })
export const notSaid = (reason: string) => expect.objectContaining({ status: 'not said', reason })
