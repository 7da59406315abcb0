import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import type { Pulse } from '@parlando/test-support/audio/pulse'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import type { Needs } from '@parlando/test-support/programs/installed-programs'
import { expect, vi } from 'vitest'

/** Where the nodes of other packages are installed. */
const nodesDir = fileURLToPath(new URL('.', import.meta.url))

const text = 'The washing machine has finished, and the dryer needs another minute.'
const waitLimitMs = 60_000
/** Players report the end when they have handed the last sample to the output. */
const outputMs = 500
/** How long a sound goes on that is not over. */
const tooLateMs = 2_000

export const place = { z: 'tab', x: 0, y: 0 }

/** What wires the end of a sound back to *announce*. */
export const played = {
  ...place,
  id: 'played',
  type: 'change',
  rules: [{ t: 'set', p: 'played', pt: 'msg', to: 'true', tot: 'bool' }],
  wires: [['announce']],
}

/** The options of a suite that needs the nodes of a package that not every registry has. */
export function needsNode(name: string): Needs {
  const isInstalled = existsSync(join(nodesDir, 'node_modules', name))
  return { skip: !isInstalled, meta: { missing: isInstalled ? [] : [name] } }
}

export interface PlayerFlow {
  nodeRed: NodeRedProcess
  /** Announces the text. @returns what became of it. */
  announce(): Promise<Outcome>
  /** Stops the announcement. */
  stop(): Promise<void>
  /** Waits until a node shows a status. */
  untilStatus(id: string, status: RegExp): Promise<void>
  close(): Promise<void>
}

interface Outcome {
  status: string
  confirmedBy?: string
}

/**
 * Starts a Node-RED with an *announce* node whose speaker is another node, and the nodes of other packages.
 * @param player the preset of the speaker.
 * @param nodes the node `player` receives the address.
 */
export async function startPlayerFlow(player: string, nodes: object[]): Promise<PlayerFlow> {
  const nodeRed = await startNodeRed([], { settings: { nodesDir } })
  await nodeRed.deploy([...announcing(player, nodeRed.baseUrl), ...nodes])
  return {
    nodeRed,
    async announce() {
      const outcomes = () => nodeRed.debugTexts('outcome')
      const before = outcomes().length
      await nodeRed.inject('say')
      await expect.poll(() => outcomes().length, { timeout: waitLimitMs }).toBe(before + 1)
      const { status, speakers } = JSON.parse(outcomes().at(-1)!)
      return { status, confirmedBy: speakers?.[0]?.confirmedBy }
    },
    stop: () => nodeRed.inject('stop'),
    async untilStatus(id, status) {
      const check = () => expect(nodeRed.statuses(id).at(-1)).toMatch(status)
      await vi.waitFor(check, { timeout: waitLimitMs })
    },
    close: () => nodeRed.close(),
  }
}

/** Expects an announcement to be heard whole, and to be reported as said when it was. */
export async function expectAnnounced(
  flow: PlayerFlow,
  pulse: Pulse,
  confirmedBy: 'player' | 'duration',
): Promise<void> {
  const recording = await pulse.record()
  expect(await flow.announce()).toEqual({ status: 'said', confirmedBy })
  const saidAt = performance.now()
  await delay(tooLateMs)
  const heard = await recording.stop()
  await expectHeard(heard, text)
  expect(heard.endAt).toBeLessThan(saidAt + outputMs)
}

/** Expects an announcement to be silent soon after a stop. */
export async function expectStopped(flow: PlayerFlow, pulse: Pulse): Promise<void> {
  const recording = await pulse.record()
  const announced = flow.announce()
  await recording.heard
  await flow.stop()
  expect(await announced).toMatchObject({ status: 'not said' })
  const stoppedAt = performance.now()
  await delay(tooLateMs)
  expect((await recording.stop()).endAt).toBeLessThan(stoppedAt + tooLateMs / 2)
}

function announcing(player: string, address: string): object[] {
  const inject = { ...place, type: 'inject', repeat: '', crontab: '', once: false }
  return [
    { id: 'tab', type: 'tab', label: 'Flow' },
    { id: 'room', type: 'parlando-speaker', kind: 'another-node', name: 'Room', player, address },
    { ...inject, id: 'say', props: [{ p: 'payload' }], payload: text, wires: [['announce']] },
    { ...inject, id: 'stop', props: [{ p: 'stop', v: 'true', vt: 'bool' }], wires: [['announce']] },
    {
      ...place,
      id: 'announce',
      type: 'parlando-announce',
      speaker: 'room',
      voice: 'Clara',
      model: 'svc-tts-2',
      chime: false,
      outputs: 3,
      wires: [['outcome'], ['outcome'], ['player']],
    },
    {
      ...place,
      id: 'outcome',
      type: 'debug',
      active: true,
      tosidebar: true,
      complete: 'announcement',
      targetType: 'msg',
    },
  ]
}
