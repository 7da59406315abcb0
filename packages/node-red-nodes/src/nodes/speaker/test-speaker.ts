import type { NodeAPI } from 'node-red'
import { composeSound } from '../../announcements/compose-sound.ts'
import { toFailure } from '../../shared/failure.ts'
import { createSound } from '../../sounds/sound.ts'
import type { Driver } from '../../speakers/driver.ts'
import { readSpeakerSettings, type SpeakerForm } from './settings.ts'

const maxTestMs = 15_000

/** The route of the form's *Test*: plays a chime with settings that may not be deployed yet, and says what happened. */
export function addTestRoute(
  RED: NodeAPI,
  createDriver: (kind: string, config: object) => Driver,
): void {
  RED.httpAdmin.post(
    '/parlando/test-speaker',
    RED.auth.needsPermission('parlando.write'),
    async (request, response) => {
      const disconnected = new AbortController()
      response.on('close', () => disconnected.abort())
      const signal = AbortSignal.any([disconnected.signal, AbortSignal.timeout(maxTestMs)])
      const form: SpeakerForm = request.body?.speaker ?? {}
      let driver: Driver | undefined
      try {
        driver = createDriver(String(form.kind), form)
        const startedAt = performance.now()
        const confirmedBy = await playChime(driver, form, signal)
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
        response.json({ message: RED._(`speaker.test.${confirmedBy}`, { seconds }) })
      } catch (error) {
        if (disconnected.signal.aborted) return
        const failure = toFailure(error)
        response.status(422).json({ error: { code: failure.code, message: String(failure) } })
      } finally {
        await driver?.close()
      }
    },
  )
}

async function playChime(driver: Driver, form: SpeakerForm, signal: AbortSignal): Promise<string> {
  const { leadInMs, leadOutMs, volume, maxVolume } = readSpeakerSettings(form)
  const silence = createSound(await driver.prepare(signal))
  silence.complete()
  const chime = composeSound(silence, { leadInMs, hasChime: true, leadOutMs })
  const { confirmedBy } = await driver.play(chime, {
    signal,
    volume: Math.min(volume, maxVolume),
    onFirstSound() {},
    handOut() {},
  })
  return confirmedBy
}
