import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  seconds,
  textsOn,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it, vi } from 'vitest'

useFakeClock()

const music = { isMusic: true, seconds: 60, expiresInMs: Infinity } as const

function usePage() {
  const page = createFakeSpeaker('page')
  page.driver.playsOver = () => true
  return useAnnouncer(page)
}

describe('on a speaker that plays announcements over music', () => {
  it.each(['normal', 'urgent'] as const)(
    'an announcement with the priority %s is said at once, and the music goes on',
    async (priority) => {
      const { announce, kitchen, texts } = usePage()
      const played = announce('Music.', music)
      await seconds(10)
      announce('Dinner is ready.', { priority })
      await seconds(60)
      expect(await played).toMatchObject({ status: 'said', times: 1 })
      expect(texts()).toEqual(['Music.', 'Dinner is ready.'])
      expect(kitchen.played[1]!.startedAt - kitchen.played[0]!.startedAt).toBe(10_000)
    },
  )

  it('announcements are said one after the other, also while more music waits', async () => {
    const { announce, kitchen } = usePage()
    announce('Music 1.', music)
    announce('Music 2.', music)
    announce('One.')
    announce('Two.')
    await seconds(130)
    const times = kitchen.played.map(({ text, startedAt }) => [
      text,
      (startedAt - kitchen.played[0]!.startedAt) / 1000,
    ])
    expect(times).toEqual([
      ['Music 1.', 0],
      ['One.', 0],
      ['Two.', 2],
      ['Music 2.', 60],
    ])
  })

  it('music waits for the end of an announcement', async () => {
    const { announce, kitchen } = usePage()
    announce('Dinner is ready.')
    announce('Music.', music)
    await seconds(70)
    const [dinner, played] = kitchen.played
    expect(played!.startedAt).toBe(dinner!.endedAt)
  })

  it('an announcement is said over the music that it also plays on another speaker, in its turn', async () => {
    const { announce, kitchen } = usePage()
    const radio = createFakeSpeaker('radio')
    announce('Music.', { ...music, speakers: [kitchen, radio] })
    await seconds(1)
    announce('Dinner is ready.', { speakers: [kitchen, radio] })
    await seconds(70)
    expect(textsOn(radio)).toEqual(['Music.', 'Dinner is ready.'])
    expect(radio.played[1]!.startedAt).toBe(radio.played[0]!.endedAt)
  })

  it('the driver learns which sounds are music', async () => {
    const { announce, kitchen } = usePage()
    const play = vi.spyOn(kitchen.driver, 'play')
    announce('Music.', music)
    announce('Dinner is ready.')
    await seconds(1)
    expect(play.mock.calls.map(([, options]) => options.isMusic)).toEqual([true, false])
  })
})
