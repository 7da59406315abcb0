import type { NodeAPI } from 'node-red'
import { defaultChime } from '../../announcements/chime.ts'
import { composeSound } from '../../announcements/compose-sound.ts'
import { addAdminRoute } from '../../runtime/admin-route.ts'
import { createSound } from '../../sounds/sound.ts'
import type { Driver } from '../../speakers/driver.ts'
import { readSpeakerSettings, type SpeakerForm } from './speaker-settings.ts'

const maxTestMs = 15_000

/** The route of the form's *Test*: plays a chime with settings that may not be deployed yet, and says what happened. */
export function addTestRoute(
  RED: NodeAPI,
  createDriver: (kind: string, config: object) => Driver,
): void {
  addAdminRoute(RED, 'test-speaker', 'parlando.write', async ({ id, speaker }, disconnected) => {
    const form = withSecrets(RED, String(id), speaker ?? {})
    const signal = AbortSignal.any([disconnected, AbortSignal.timeout(maxTestMs)])
    const driver = createDriver(String(form.kind), form)
    try {
      const startedAt = performance.now()
      const confirmedBy = await playChime(driver, form, signal)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      return { message: RED._(`speaker.test.${confirmedBy}`, { seconds }) }
    } finally {
      await driver.close()
    }
  })
}

/** The editor does not receive a saved secret, and sends this in its place. */
const savedSecret = '__PWRD__'

function withSecrets(RED: NodeAPI, id: string, form: object): SpeakerForm {
  const saved = (RED.nodes.getCredentials(id) ?? {}) as Record<string, unknown>
  const entries = Object.entries(form).map(([name, value]) =>
    value === savedSecret ? [name, saved[name]] : [name, value],
  )
  return Object.fromEntries(entries)
}

async function playChime(driver: Driver, form: SpeakerForm, signal: AbortSignal): Promise<string> {
  const { leadInMs, leadOutMs, volume, maxVolume } = readSpeakerSettings(form)
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
}
