import { BlockList } from 'node:net'
import { type Answer, type DecodedPacket, decode, type Question } from 'dns-packet'
import { textOfAddress } from '../network/device-address.ts'

/** A service that a device makes known by mDNS. */
export interface FoundService {
  /** A type such as `_mpd._tcp`. */
  type: string
  name: string
  host: string
  /** Host and port, as settings have them. */
  address: string
  /** What the device says about it, by lower-case names. */
  texts: Readonly<Record<string, string>>
}

/** More than a house has. */
const maxServices = 200
const maxAddresses = 400
const maxTexts = 50

interface Instance {
  type: string
  name: string
  responder: string
  /** How often it was asked for what is missing. */
  timesAsked: number
  target?: { host: string; port: number }
  texts?: Record<string, string>
}

/** The records of services (RFC 6763) that arrive in any number of messages, in any order, from anybody. */
export class ServiceRecords {
  readonly #types: readonly string[]
  /** The services by their full names, such as `kitchen._mpd._tcp.local`. Names are lower-case: their letter case has no meaning. */
  readonly #instances = new Map<string, Instance>()
  readonly #hosts = new Map<string, string>()

  /** @param types Those that count, such as `_mpd._tcp`. */
  constructor(types: readonly string[]) {
    this.#types = types
  }

  /** @param responder The address that sent the message. */
  take(message: Uint8Array, responder: string): void {
    const packet = decoded(message)
    if (packet?.type !== 'response') return
    for (const record of [...(packet.answers ?? []), ...(packet.additionals ?? [])]) {
      if (record.type === 'PTR') this.#instanceOf(record.data, responder)
      else if (record.type === 'SRV') this.#takeTarget(record, responder)
      else if (record.type === 'TXT') this.#takeTexts(record, responder)
      else if (record.type === 'A' && this.#hosts.size < maxAddresses)
        this.#hosts.set(record.name.toLowerCase(), record.data)
    }
  }

  /** What to ask for next: all services, and what is missing about those that are known, first those that were asked least. */
  questions(): Question[] {
    const questions: Question[] = this.#types.map((type) => ({
      type: 'PTR',
      name: `${type}.local`,
    }))
    const inTurns = [...this.#instances].sort(
      ([, one], [, other]) => one.timesAsked - other.timesAsked,
    )
    for (const [name, instance] of inTurns) {
      if (questions.length >= maxQuestions) break
      const { target } = instance
      instance.timesAsked += 1
      if (!target) questions.push({ type: 'SRV', name }, { type: 'TXT', name })
      else if (!this.#hosts.has(target.host.toLowerCase())) {
        questions.push({ type: 'A', name: target.host })
      }
    }
    return questions
  }

  /** The services whose address is known. */
  services(): FoundService[] {
    return [...this.#instances.values()].flatMap(
      ({ type, name, responder, target, texts = {} }) => {
        if (!target || target.port === 0) return []
        const stated = this.#hosts.get(target.host.toLowerCase())
        const host = stated && isInHouse(stated) ? stated : responder
        const address = textOfAddress({ host, port: target.port })
        return [{ type, name, host, address, texts }]
      },
    )
  }

  #instanceOf(fullName: string, responder: string): Instance | undefined {
    const key = fullName.toLowerCase()
    const known = this.#instances.get(key)
    const type = this.#types.find((type) => key.endsWith(`.${type}.local`))
    if (known || !type || this.#instances.size >= maxServices) return known
    const name = fullName.slice(0, -`.${type}.local`.length)
    const instance: Instance = { type, name, responder, timesAsked: 0 }
    this.#instances.set(key, instance)
    return instance
  }

  #takeTarget({ name, data }: Extract<Answer, { type: 'SRV' }>, responder: string): void {
    const instance = this.#instanceOf(name, responder)
    if (instance) instance.target = { host: data.target, port: data.port }
  }

  #takeTexts({ name, data }: Extract<Answer, { type: 'TXT' }>, responder: string): void {
    const instance = this.#instanceOf(name, responder)
    if (!instance) return
    const lines = (Array.isArray(data) ? data : [data]).slice(0, maxTexts).map(String)
    const pairs = lines.map((line) => {
      const [key = '', ...value] = line.split('=')
      return [key.toLowerCase(), value.join('=')] as const
    })
    instance.texts = Object.fromEntries(pairs)
  }
}

/** A question has up to 260 bytes, and a message 9,000 (RFC 6762, section 17). */
const maxQuestions = 30

function decoded(message: Uint8Array): DecodedPacket | undefined {
  try {
    return decode(Buffer.from(message))
  } catch {
    return undefined
  }
}

// A device may be known to another one that responds for it, but never be this machine or a server in the internet.
const house = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  house.addSubnet(network, bits)
}

function isInHouse(address: string): boolean {
  return house.check(address)
}
