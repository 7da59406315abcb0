import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  said,
  seconds,
  textsOn,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it, vi } from 'vitest'
import { abortableDelay } from '../runtime/wait.ts'
import { soundOf } from '../sounds/sound.ts'
import { SpeakerError } from '../speakers/speaker-error.ts'
import type { Announcement } from './announcement.ts'

useFakeClock()

describe('an announcement on several speakers', () => {
  const bedroom = () => createFakeSpeaker('bedroom')

  it('starts on all of them together, when all are free', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    announce('Long.', { seconds: 5 })
    announce('Everywhere.', { speakers: [kitchen, other] })
    await seconds(10)
    expect(other.played[0]!.startedAt).toBe(kitchen.played[1]!.startedAt)
    expect(kitchen.played[1]!.startedAt).toBe(kitchen.played[0]!.endedAt)
  })

  it.each([
    ['does not respond', new SpeakerError('SPEAKER_NOT_REACHABLE', 'off'), 'failed'],
    ['wakes up', undefined, 'said'],
  ])('begins after two seconds without a speaker that %s', async (_what, failure, status) => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    const { prepare } = other.driver
    other.driver.prepare = async (signal) => {
      await abortableDelay(15_000, signal)
      other.failure = failure
      return prepare(signal)
    }
    const startedAt = performance.now()
    const report = announce('Everywhere.', { speakers: [other, kitchen] })
    await seconds(30)
    expect(kitchen.played[0]!.startedAt - startedAt).toBe(2000)
    expect(await report).toMatchObject({
      speakers: [
        { name: 'bedroom', status },
        { name: 'kitchen', status: 'said' },
      ],
    })
  })

  it('is not overtaken for ever by announcements on one of them', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    announce('Kitchen 1.')
    await seconds(1)
    announce('Bedroom 1.', { speakers: [other] })
    const report = announce('Everywhere.', { speakers: [kitchen, other] })
    announce('Kitchen 2.')
    announce('Bedroom 2.', { speakers: [other] })
    await seconds(10)
    expect(await report).toEqual(said)
    expect(textsOn(kitchen)).toEqual(['Kitchen 1.', 'Everywhere.', 'Kitchen 2.'])
    expect(textsOn(other)).toEqual(['Bedroom 1.', 'Everywhere.', 'Bedroom 2.'])
  })

  it('does not wait for announcements on others', async () => {
    const { announce } = useAnnouncer()
    const other = bedroom()
    announce('Kitchen.')
    announce('Bedroom.', { speakers: [other] })
    await seconds(0)
    expect(other.played).toHaveLength(1)
  })

  it('waits for another speaker that plays on the same device', async () => {
    const { announce, kitchen } = useAnnouncer()
    const sameDevice = { ...createFakeSpeaker('radio'), devices: kitchen.devices }
    announce('Kitchen.')
    announce('Radio.', { speakers: [sameDevice] })
    await seconds(10)
    expect(sameDevice.played[0]!.startedAt).toBe(kitchen.played[0]!.endedAt)
  })

  it('makes one sound for those that need the same, and one for each other format and voice', async () => {
    const { announce, kitchen } = useAnnouncer()
    const speakers = [
      kitchen,
      bedroom(),
      createFakeSpeaker('hall', { voice: 'Ralph' }),
      createFakeSpeaker('tablet', {}, { audioEncoding: 'MP3', sampleRateHertz: 44_100 }),
    ]
    const makeSound = vi.fn<Announcement['makeSound']>(({ format }) =>
      soundOf(format, new Uint8Array(100)),
    )
    announce('Everywhere.', { speakers, makeSound })
    await seconds(1)
    expect(makeSound.mock.calls.map(([wanted]) => wanted)).toEqual([
      { format: { audioEncoding: 'PCM', sampleRateHertz: 24_000 }, voice: '', language: '' },
      { format: { audioEncoding: 'PCM', sampleRateHertz: 24_000 }, voice: 'Ralph', language: '' },
      { format: { audioEncoding: 'MP3', sampleRateHertz: 44_100 }, voice: '', language: '' },
    ])
  })

  it('is said if one of them plays it, and reports the error of the other', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    other.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'The bedroom does not respond')
    const report = announce('Everywhere.', { speakers: [other, kitchen] })
    await seconds(2)
    expect(await report).toMatchObject({
      status: 'said',
      speakers: [
        {
          name: 'bedroom',
          status: 'failed',
          error: { code: 'SPEAKER_NOT_REACHABLE', message: 'The bedroom does not respond' },
        },
        { name: 'kitchen', status: 'said' },
      ],
    })
  })

  it('fails with the error of the first if all of them fail', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    kitchen.failure = new SpeakerError('NO_PLAYER', 'Install a player')
    other.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'The bedroom does not respond')
    const report = announce('Everywhere.', { speakers: [kitchen, other] })
    await expect(report).rejects.toMatchObject({ code: 'NO_PLAYER' })
  })
})
