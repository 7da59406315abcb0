import { type LocalService, startLocalService } from '@parlando/local-service'
import { afterAll, beforeAll } from 'vitest'
import { nodeCase } from '../../../../node-red-nodes/src/nodes/speak/speak.test-case.ts'
import { keys } from '../../secrets/keys.ts'
import { type LoadedFlow, type Message, useNodeRed } from '../runtime.ts'
import {
  type CaughtMessage,
  outputWires,
  send,
  sendAndCatch,
  surroundingNodes,
} from './flow-harness.ts'

const apiKey = keys.service

export interface SpeakFlowOptions {
  speak?: object
  /** Further nodes. */
  nodes?: object[]
  service?: object
  baseUrl?: string
  key?: string
}

/** Starts a service and a Node-RED runtime. @returns a function that loads a flow with a speak node for the service. */
export function useSpeak() {
  let service: LocalService
  beforeAll(async () => {
    service = await startLocalService({ apiKey, warmUp: false })
  })
  afterAll(() => service.close())
  const { load, deploy, unload, userFolder } = useNodeRed()
  return {
    unload,
    userFolder,
    loadSpeak(options: SpeakFlowOptions = {}): Promise<LoadedFlow> {
      const { baseUrl = service.baseUrl, key = apiKey } = options
      return load(speakFlow(options, baseUrl), { service: { apiKey: key } })
    },
    /** Deploys a flow without its speak node. */
    async deleteSpeak(baseUrl: string) {
      const flow = speakFlow({}, baseUrl)
      await deploy(
        flow.filter((node) => 'id' in node && node.id !== 'speak'),
        'nodes',
      )
    },
  }
}

function speakFlow(
  { speak = {}, service = {}, nodes = [] }: SpeakFlowOptions,
  baseUrl: string,
): object[] {
  return [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl, ...service },
    {
      id: 'speak',
      type: 'parlando-speak',
      z: 'tab',
      service: 'service',
      ...nodeCase.settings,
      wires: outputWires,
      ...speak,
    },
    ...surroundingNodes('speak'),
    ...nodes,
  ]
}

/** Sends a message and waits until the node is done. @returns all messages that the node has sent so far. */
export function speak(flow: LoadedFlow, message: Message): Promise<Message[]> {
  return send(flow, 'speak', message)
}

/** Sends a message and waits for the resulting error. @returns the message from the Catch node. */
export function speakAndCatch(flow: LoadedFlow, message: Message): Promise<CaughtMessage> {
  return sendAndCatch(flow, 'speak', message)
}

export const lastStatus = (flow: LoadedFlow) => flow.statuses('speak').at(-1)
