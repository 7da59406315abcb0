import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { nodeCase } from '../../../../node-red-nodes/src/nodes/read-aloud/read-aloud.test-case.ts'
import type { Speaker } from '../../../../node-red-nodes/src/speakers/speaker.ts'
import { audioLine, startTestServer } from '../../servers/test-server.ts'
import { createFakeSpeaker, provideFakeSpeaker } from '../../speakers/fake-speaker.ts'
import { useNodeRed } from '../runtime.ts'

/** A speaker that says a passage until the test lets it end. Its texts are the first sentences. */
export interface HeldSpeaker extends Speaker {
  /** The texts that were begun. */
  said: string[]
  /** The text that is said now. */
  readonly saying: string | undefined
  /** Ends what is said now, as heard. */
  finish(): void
  /** Reports that its first sample is heard. */
  begin(): void
  /** Ends what is said now with an error. */
  fail(error: Error): void
  /** While set, the speaker fails with this error. */
  failure: Error | undefined
}

function createHeldSpeaker(changes: Partial<Speaker>): HeldSpeaker {
  const said: string[] = []
  let now: { text: string; begin(): void; finish(): void; fail(error: Error): void } | undefined
  const speaker: HeldSpeaker = {
    ...createFakeSpeaker('kitchen'),
    said,
    get saying() {
      return now?.text
    },
    finish: () => now?.finish(),
    begin: () => now?.begin(),
    fail: (error) => now?.fail(error),
    failure: undefined,
    ...changes,
  }
  const { driver } = speaker
  speaker.driver = {
    ...driver,
    async prepare(signal) {
      if (speaker.failure) throw speaker.failure
      return await driver.prepare(signal)
    },
    async play(sound, { signal, text = '', onFirstSound }) {
      for await (const _chunk of sound.read(signal));
      said.push(text)
      await new Promise<void>((resolve, reject) => {
        now = { text, begin: onFirstSound, finish: resolve, fail: reject }
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }).finally(() => {
        now = undefined
      })
      return { confirmedBy: 'player' }
    },
  }
  return speaker
}

/** Loads flows with a *read aloud* node, a service that makes speech, and a speaker. */
export function useReadAloud() {
  let speaker: HeldSpeaker
  let early: readonly object[] = []
  const { load, unload, userFolder, postToAdmin } = useNodeRed({
    afterNodes(RED) {
      provideFakeSpeaker(speaker as never)
      // Before the nodes themselves know that the flow has started.
      RED.events.prependOnceListener('flows:started', () => {
        for (const message of early) RED.nodes.getNode('read').receive({ ...message })
      })
    },
  })
  const spoken = audioLine(Buffer.alloc(480, 1))
  const loadReadAloud = async ({
    settings = {},
    speakerChanges = {},
    respond = (response) => void response.end(spoken),
    whileStarting = [],
  }: {
    settings?: object
    speakerChanges?: Partial<Speaker>
    respond?: Parameters<typeof startTestServer>[0]
    /** Messages that arrive when all nodes are there, but before the flow has started. */
    whileStarting?: readonly object[]
  } = {}) => {
    early = whileStarting
    const server = await startTestServer(respond)
    speaker = createHeldSpeaker(speakerChanges)
    const current = speaker
    const flow = await load(readAloudFlow(server.baseUrl, settings), {
      service: { apiKey: 'key' },
    })
    const send = (message: object) => flow.node('read').receive({ ...message })
    const hears = (text: string) =>
      vi.waitFor(() => {
        if (current.saying !== text) throw new Error(`The speaker says ${current.saying}`)
      })
    /** Waits until a sentence is heard, and lets it end. */
    const hearsToEnd = async (text: string) => {
      await hears(text)
      current.finish()
    }
    const shows = (text: string) =>
      vi.waitFor(() => {
        const shown = flow.statuses('read').at(-1)?.text ?? ''
        if (!shown.includes(text)) throw new Error(`The status is ${shown}`)
      })
    const requested = () =>
      server.requests.flatMap(({ body }) => (body as { text?: string }).text ?? [])
    return {
      ...{ flow, server, speaker: current, positions },
      ...{ send, hears, hearsToEnd, shows, requested },
    }
  }
  const positions = () => positionsIn(userFolder)
  const forget = () => rmSync(join(userFolder, 'parlando'), { recursive: true, force: true })
  return { loadReadAloud, unload, forget, userFolder, postToAdmin }
}

function positionsIn(userFolder: string): { index: number }[] {
  const file = join(userFolder, 'parlando/reading-positions.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

function readAloudFlow(baseUrl: string, settings: object): object[] {
  const place = { z: 'tab' }
  return [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
    {
      ...place,
      id: 'read',
      type: 'parlando-read-aloud',
      service: 'service',
      ...nodeCase.settings,
      ...settings,
      wires: [['read-to-end'], ['not-read']],
    },
    ...['read-to-end', 'not-read', 'caught', 'completed'].map((id) => ({
      ...place,
      id,
      type: 'helper',
    })),
    { ...place, id: 'catch', type: 'catch', scope: ['read'], wires: [['caught']] },
    { ...place, id: 'complete', type: 'complete', scope: ['read'], wires: [['completed']] },
  ]
}
