import type { NodeAPI, NodeDef } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { handleClose } from '../../runtime/input.ts'
import { playerAddress, thisHost } from '../../sounds/to-play/player-address.ts'
import { addSoundRoute } from '../../sounds/to-play/sound-route.ts'
import { createSoundStore } from '../../sounds/to-play/sound-store.ts'
import type { Driver } from '../../speakers/driver.ts'
import { createSpeakerKinds } from '../../speakers/kinds/kinds.ts'
import type { Speaker, SpeakerNode } from '../../speakers/speaker.ts'
import { credentialsOf, formsOf, type SpeakerKind } from '../../speakers/speaker-kind.ts'
import { createConfiguredSpeakers } from './configured-speakers.ts'
import { failingDriver, findNamedBy } from './find-speakers.ts'
import { createGroup, expandGroups, groupForm } from './groups.ts'
import { addDevicesRoute } from './list-devices.ts'
import { createRoutedDriver } from './routed-driver.ts'
import { addSearchRoute } from './search-route.ts'
import { shareSpeakers } from './share-speakers.ts'
import { readSpeakerSettings, type SpeakerForm } from './speaker-settings.ts'
import { addTestRoute, type CreateDriver } from './test-speaker.ts'

type SpeakerDef = NodeDef & SpeakerForm

function register(RED: NodeAPI): void {
  const sounds = createSoundStore({
    addressOf: (typed, route) => playerAddress(thisHost(RED), typed, route),
  })
  addSoundRoute(RED, [sounds])
  const kinds = createSpeakerKinds(RED)
  // A hand-written flow may name any kind.
  const kindOf = (name: string) => (Object.hasOwn(kinds, name) ? kinds[name] : undefined)
  const createDriver: CreateDriver = (name, config, store = sounds) => {
    const kind = kindOf(name)
    if (kind) return createRoutedDriver(kind, { RED, sounds: store, config: { ...config } })
    // An error here would have a stack in the log, and would not reach the nodes that play on this speaker.
    return failingDriver(new NodeInputError(RED._('speaker.error.unknown-kind', { kind: name })))
  }
  const configured = createConfiguredSpeakers(RED)
  // Called only once the built-in speakers exist: each speaker looks for its microphone when somebody asks for it.
  const findByDevice = (device: string | undefined) =>
    [...configured.all.values(), ...builtIn].find(
      ({ devices }) => devices.length === 1 && devices[0] === device,
    )
  const createSpeaker = (id: string, kindName: string, form: SpeakerForm): Speaker => {
    const own = { id, kindName, kind: kindOf(kindName), driver: createDriver(kindName, form), form }
    return speakerOf(RED, { ...own, configured: configured.all, findByDevice })
  }
  const builtIn: readonly Speaker[] = Object.keys(kinds)
    .filter((name) => kinds[name]!.isBuiltIn)
    .map((name) => createSpeaker(name, name, {}))

  const pendingAlarms = shareSpeakers(RED, {
    kinds: Object.values(kinds),
    sounds,
    known: () => ({ configured: [...configured.all.values()], builtIn }),
    onDeployed: configured.onDeployed,
  })

  function SpeakerNode(this: SpeakerNode, config: SpeakerDef) {
    RED.nodes.createNode(this, config)
    const { id } = this
    const { kind = 'editor' } = config
    const form = { ...config, ...this.credentials }
    const isGroup = kind === groupForm.name
    const speaker = isGroup
      ? createGroup(id, form, configured.all, RED)
      : createSpeaker(id, kind, form)
    this.page = kindOf(kind)?.page?.(form) ?? ''
    configured.add(speaker)
    pendingAlarms.showOn(speaker)
    handleClose(RED, this, async () => {
      configured.close(speaker)
      await speaker.driver.close()
    })
  }
  RED.nodes.registerType('parlando-speaker', SpeakerNode, {
    credentials: credentialsOf(kinds),
    // The form reads it as a setting of Node-RED.
    settings: { parlandoSpeakerKinds: { value: [...formsOf(kinds), groupForm], exportable: true } },
  })
  addTestRoute(RED, { kinds, sounds, createDriver })
  addDevicesRoute(RED, kinds, sounds)
  addSearchRoute(RED, kinds)
}

interface SpeakerParts {
  id: string
  kindName: string
  kind: SpeakerKind | undefined
  driver: Driver
  form: SpeakerForm
  /** All speakers of configuration nodes, some of which the form may name. */
  configured: ReadonlyMap<string, Speaker>
  /** The speaker whose only device this is. */
  findByDevice(device: string | undefined): Speaker | undefined
}

/** The speaker of a form, as nodes see it. */
function speakerOf(
  RED: NodeAPI,
  { id, kindName, kind, driver, form, configured, findByDevice }: SpeakerParts,
): Speaker {
  const speaker: Speaker = {
    id,
    get name() {
      return form.name || RED._(`speaker.kind.${driver.place?.() ?? kindName}`)
    },
    devices: kind?.devices?.({ ...form }) ?? [id],
    handsOut: kind?.handsOut ?? false,
    room: form.room ?? '',
    settings: readSpeakerSettings(form),
    driver,
    get questionMicrophone() {
      return (findByDevice(form.microphone) ?? speaker).driver.questionMicrophone
    },
    instead: () => expandGroups(findNamedBy(speaker, form.instead, configured.values(), RED)),
  }
  return speaker
}

export = register
