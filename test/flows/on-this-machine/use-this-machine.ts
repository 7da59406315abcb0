import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { speak } from '@parlando/test-support/audio/speak'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, vi } from 'vitest'

/** What tests need that speak to this machine. */
export const needsPrograms = { ...needs(...pulsePrograms), ...needsRecogniser() }

/** A quarter of a second: no sound begins at once when somebody speaks. */
const silence = Buffer.alloc(8000)

/**
 * Runs a flow in a Node-RED whose microphone hears what its speaker plays.
 * @param texts what people say in the tests of the file.
 */
export function useThisMachine<Text extends string>(
  flow: readonly object[],
  texts: readonly Text[],
) {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  const speech = new Map<Text, Buffer>()
  beforeAll(async () => {
    for (const text of texts) speech.set(text, await speak(text))
    pulse = await startPulse()
    nodeRed = await startNodeRed([...flow], { environment: pulse.environment })
  }, 120_000)
  afterAll(async () => {
    await nodeRed?.close()
    await pulse?.stop()
  })
  return {
    pulse: () => pulse,
    nodeRed: () => nodeRed,
    /** Somebody says these texts. */
    say: (...said: Text[]) =>
      pulse.play(Buffer.concat([silence, ...said.map((text) => speech.get(text)!)])),
    /** What the debug node has received, which are objects. */
    received: (id: string) => nodeRed.debugTexts(id).map((text) => JSON.parse(text)),
    until: (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 }),
  }
}
