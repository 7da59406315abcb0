import type { NodeAPI, NodeDef } from 'node-red'
import { Announcer } from '../../announcements/announcer.ts'
import { providePlayback } from '../../announcements/shared-playback.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { pageName } from '../../shared/page-name.ts'
import { playerAddress, thisHost } from '../../sounds/player-address.ts'
import { addSoundRoute } from '../../sounds/sound-route.ts'
import { createSoundStore } from '../../sounds/sound-store.ts'
import { notePlayed } from '../../speakers/another-node/another-node.ts'
import type { Driver } from '../../speakers/driver.ts'
import { drivers, pageNameOf } from '../../speakers/registry.ts'
import type { Speaker, SpeakerNode } from '../../speakers/speaker.ts'
import { failingDriver, findSpeakers } from './find-speakers.ts'
import { readSpeakerSettings, type SpeakerForm } from './settings.ts'
import { addTestRoute } from './test-speaker.ts'

interface SpeakerDef extends NodeDef, SpeakerForm {}

function register(RED: NodeAPI): void {
  const sounds = createSoundStore({ addressOf: (typed) => playerAddress(thisHost(RED), typed) })
  addSoundRoute(RED, [sounds])
  const createDriver = (kind: string, config: object): Driver => {
    const create = Object.hasOwn(drivers, kind) ? drivers[kind] : undefined
    // An error here would have a stack in the log, and would not reach the nodes that play on this speaker.
    if (!create)
      return failingDriver(new NodeInputError(RED._('speaker.error.unknown-kind', { kind })))
    return create({ RED, sounds, config: { ...config } })
  }

  const configured = new Map<string, Speaker>()
  // Without a configuration node. They hold nothing open while nobody uses them.
  const builtIn = ['automatic', 'editor', 'machine'].map((kind): Speaker => {
    const driver = createDriver(kind, {})
    return {
      id: kind,
      get name() {
        return RED._(`speaker.kind.${driver.place?.() ?? kind}`)
      },
      devices: devicesOf(kind, kind),
      room: '',
      settings: readSpeakerSettings({}),
      driver,
    }
  })

  function SpeakerNode(this: SpeakerNode, config: SpeakerDef) {
    RED.nodes.createNode(this, config)
    const { kind = 'editor', room = '' } = config
    const driver = createDriver(kind, config)
    this.page = kind === 'page' ? pageName(pageNameOf(config)) : ''
    const name = config.name || RED._(`speaker.kind.${kind}`)
    configured.set(this.id, {
      id: this.id,
      name,
      devices: devicesOf(kind, this.page ? `page ${this.page}` : this.id),
      room,
      settings: readSpeakerSettings(config),
      driver,
    })
    this.on('close', async (done: () => void) => {
      configured.delete(this.id)
      await driver.close()
      done()
    })
  }
  RED.nodes.registerType('parlando-speaker', SpeakerNode)

  const announcer = new Announcer(RED, (alarms) => {
    const acknowledge = (id: string) => void announcer.acknowledge(undefined, id)
    for (const { id, driver } of configured.values()) {
      const own = alarms.filter(({ speakerIds }) => speakerIds.includes(id))
      driver.showAlarms?.(
        own.map(({ id, text }) => ({ id, text })),
        acknowledge,
      )
    }
  })
  providePlayback({
    announcer,
    sounds,
    find: (names) => findSpeakers(names, [...configured.values(), ...builtIn], RED),
    notePlayed,
  })
  addTestRoute(RED, createDriver)
}

/** The editor, this machine and a page are each the same device for every speaker that plays there. */
function devicesOf(kind: string, id: string): string[] {
  if (kind === 'automatic') return ['editor', 'machine']
  return [kind === 'editor' || kind === 'machine' ? kind : id]
}

export = register
