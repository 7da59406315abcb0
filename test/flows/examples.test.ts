import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type SpeechRequest } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type NodeRedProcess, startNodeRed } from '../support/node-red-process.ts'
import { readSound } from '../support/sound.ts'

type FlowNode = { id: string; type: string; [property: string]: string }

const folder = fileURLToPath(new URL('../../examples/flows', import.meta.url))
const files = readdirSync(folder)

let service: LocalService
beforeAll(async () => {
  service = await startLocalService()
})
afterAll(() => service.close())

/** What each example must have done once its buttons have been pressed. */
const checks: Record<string, (nodeRed: NodeRedProcess, flow: FlowNode[]) => Promise<void>> = {
  async '01 - First words.json'(nodeRed, flow) {
    const speak = flow.find(({ type }) => type === 'parlando-speak')!
    const inject = flow.find(({ type }) => type === 'inject')!
    const expected = await spokenBy(speak, inject['payload']!)
    await vi.waitFor(
      async () => {
        const sound = readSound(await readFile(join(nodeRed.folder, 'first-words.wav')))
        expect(sound.sampleRateHertz).toBe(Number(speak['sampleRate']))
        expect(sound.seconds / expected.seconds).toBeGreaterThan(0.9)
        expect(sound.seconds / expected.seconds).toBeLessThan(1.1)
        expect(sound.loudness).toBeGreaterThan(0.03)
      },
      { timeout: 15_000, interval: 50 },
    )
  },
}

/** The same text as the service speaks it in one piece. */
async function spokenBy(speak: FlowNode, text: string) {
  const client = createClient({ baseUrl: service.baseUrl })
  const audioConfig = {
    audioEncoding: speak['encoding'],
    sampleRateHertz: Number(speak['sampleRate']),
  } as SpeechRequest['audioConfig']
  const { voice = '', model = '' } = speak
  const { audio } = await client.synthesize({ text, voiceId: voice, modelId: model, audioConfig })
  await client.close()
  return readSound(Buffer.from(audio))
}

describe.each(files)('example %s', (file) => {
  const flow: FlowNode[] = JSON.parse(readFileSync(join(folder, file), 'utf8'))

  it('runs in a real Node-RED and does what it promises', async () => {
    const nodeRed = await startNodeRed(flow)
    onTestFinished(() => nodeRed.close())
    for (const { type, id } of flow) if (type === 'inject') await nodeRed.inject(id)
    const check = checks[file]
    if (!check) throw new Error(`There is no check for ${file}: write one`)
    await check(nodeRed, flow)
    expect(nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
  })

  it('says what to do in a comment, and holds no key', () => {
    expect(flow.some(({ type, name }) => type === 'comment' && name)).toBe(true)
    expect(JSON.stringify(flow)).not.toMatch(/apiKey|credentials/)
  })
})
