import type { NodeAPI } from 'node-red'
import { defaultChime } from '../../playback/chime.ts'
import { composeSound } from '../../playback/compose-sound.ts'
import { addAdminRoute } from '../../runtime/admin-route.ts'
import type { Texts } from '../../runtime/texts.ts'
import { createSound } from '../../sounds/sound.ts'
import type { SoundStore } from '../../sounds/to-play/sound-store.ts'
import type { Driver, Played } from '../../speakers/driver.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'
import type { SpeakerKind } from '../../speakers/speaker-kind.ts'
import { explainNotFetched, watchPublished } from './reachability.ts'
import { readSpeakerSettings, type SpeakerForm } from './speaker-settings.ts'
import { readUnsavedSpeaker } from './unsaved-speaker.ts'

/** Longer than the limits of drivers, which say more: a device may have to wake up, and to start an app. */
const maxTestSeconds = 45

/** @param sounds Default: the store of all speakers. */
export type CreateDriver = (kind: string, config: object, sounds?: SoundStore) => Driver

interface TestContext {
  kinds: Readonly<Record<string, SpeakerKind>>
  sounds: SoundStore
  createDriver: CreateDriver
}

/** The route of the form's *Test*: plays a chime with settings that may not be deployed yet, and says what happened. */
export function addTestRoute(RED: NodeAPI, { kinds, sounds, createDriver }: TestContext): void {
  // Who may not change flows must not choose an address to which Node-RED connects.
  addAdminRoute(RED, 'test-speaker', 'flows.write', async (body, disconnected) => {
    const form = readUnsavedSpeaker(RED, kinds, body)
    const watched = watchPublished(sounds)
    const driver = createDriver(form.kind, form, watched.sounds)
    try {
      const startedAt = performance.now()
      const confirmedBy = await playChime(RED, driver, form, disconnected)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      return { message: RED._(`speaker.test.${confirmedBy}`, { seconds }) }
    } catch (error) {
      const { code } = error as { code?: unknown }
      const last = watched.last()
      if (code !== 'NOT_FETCHED' || !last) throw error
      throw await explainNotFetched(RED, last)
    } finally {
      await driver.close()
    }
  })
}

/** @throws {SpeakerError} if it has not ended after {@link maxTestSeconds}. */
export async function playChime(
  RED: Texts,
  driver: Driver,
  form: SpeakerForm,
  disconnected: AbortSignal,
): Promise<Played['confirmedBy']> {
  const overdue = new AbortController()
  const signal = AbortSignal.any([disconnected, overdue.signal])
  const timer = setTimeout(() => {
    const message = RED._('speaker.test.no-end', { seconds: maxTestSeconds })
    overdue.abort(new SpeakerError('SPEAKER_NOT_REACHABLE', message))
  }, maxTestSeconds * 1000)
  const { leadInMs, leadOutMs, volume, maxVolume } = readSpeakerSettings(form)
  try {
    const silence = createSound(await driver.prepare(signal))
    silence.complete()
    const chime = composeSound(silence, { leadInMs, chime: defaultChime, leadOutMs })
    const { confirmedBy } = await driver.play(chime, {
      signal,
      volume: Math.min(volume, maxVolume),
      onFirstSound() {},
      handOut() {},
    })
    return confirmedBy
  } finally {
    clearTimeout(timer)
  }
}
