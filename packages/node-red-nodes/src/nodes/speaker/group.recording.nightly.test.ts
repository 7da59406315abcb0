import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { RED, speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { needs, type Program } from '@parlando/test-support/programs/installed-programs'
import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Announcer } from '../../announcements/announcer.ts'
import { createSound, type Sound, type SoundFormat } from '../../sounds/sound.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import { type DriverCase, loadDriverTest } from '../../speakers/test-suites/driver-test-case.ts'
import { createGroup, expandGroups } from './groups.ts'

const kinds = ['machine', 'editor', 'page', 'mpd'] as const
const dead = 'home-assistant'
const tests = await Promise.all([...kinds, dead].map(loadDriverTest))
const programs = tests.flatMap(({ programs = [] }): readonly Program[] => programs)
const soundSeconds = 3

function makeTone(format: SoundFormat): Sound {
  const { audioEncoding, sampleRateHertz } = format
  const sound = createSound(format)
  const make = async () => {
    const pcm = tone({ hertz: 500, seconds: soundSeconds, sampleRateHertz })
    sound.append(audioEncoding === 'MP3' ? await encodeMp3(pcm, { sampleRateHertz }) : pcm)
    sound.complete()
  }
  make().catch((error) => sound.fail(error))
  return sound
}

describe('a group of five kinds of speakers', needs(...pulsePrograms, ...programs), () => {
  it('starts on four of them together, and reports that the fifth is off', async () => {
    const cases = await Promise.all(tests.map(({ default: create }) => create()))
    onTestFinished(async () => {
      for (const { driver, broken, close } of cases) {
        await driver.close()
        await broken.driver.close()
        await close()
      }
    })
    const speakers = new Map<string, Speaker>()
    const speakerOf = (kind: string, driver: DriverCase['driver']): Speaker => ({
      ...createFakeSpeaker(kind),
      driver,
    })
    for (const [index, kind] of kinds.entries()) {
      speakers.set(kind, speakerOf(kind, cases[index]!.driver))
    }
    speakers.set(dead, speakerOf(dead, cases.at(-1)!.broken.driver))
    const members = ['house', ...kinds, dead]
    const house = createGroup('house', { name: 'house', members }, speakers, RED)
    const recordings = await Promise.all(cases.slice(0, -1).map(({ record }) => record()))

    const announcement = {
      id: '1',
      speakers: expandGroups([house]),
      findSpeakers: () => expandGroups([house]),
      priority: 'normal' as const,
      text: 'Dinner is ready.',
      makeSound: ({ format }: { format: SoundFormat }) => makeTone(format),
      addressOutput: { check() {}, send() {} },
    }
    const { speakers: reports } = await new Announcer(speakerTexts.en).announce(announcement, {
      signal: AbortSignal.timeout(30_000),
      onStateChange() {},
      onFailure() {},
    })

    const heard = await Promise.all(recordings.map((recording) => recording.stop()))
    // First, because an error says why nothing was heard.
    const outcomes = reports.map(({ name, error }) => [name, error?.code])
    expect(outcomes).toEqual([
      ...kinds.map((kind) => [kind, undefined]),
      [dead, 'SPEAKER_NOT_REACHABLE'],
    ])
    expect(heard.map(({ tonesHertz }) => tonesHertz)).toEqual(kinds.map(() => [500]))
    const onsets = heard.map(({ onsetAt }) => onsetAt)
    // The last one has begun before the first one ends. Alone, they begin within half a second, of which MPD takes most; the
    // start of six recordings at once can take a second more.
    expect(Math.max(...onsets) - Math.min(...onsets)).toBeLessThan(soundSeconds * 1000)
  })
})
