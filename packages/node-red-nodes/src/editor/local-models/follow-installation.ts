import { forgetVoices } from '../fields/voice-choices.ts'
import { notify, text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import {
  adviceFor,
  type InstallableModels,
  isInstalling,
  listLocalModels,
} from './local-model-list.ts'

/** Receives each list while a model is being installed, and at the end the result as a sentence. */
type Receiver = (list: InstallableModels, result?: string) => void

const intervalMs = 1_000
/** This many requests may fail in a row: a deploy closes the connections of the forms, and Node-RED may be busy for a moment. */
const maxFailures = 5

export interface FollowOptions {
  service: ServiceSettings
  /** The model whose installation has just begun, if there is one. It may end before the first request. */
  name?: string
  /** Default: the receiver so far. */
  receive?: Receiver
  /** Called when a model was installed. */
  onChange(): void
}

/** Who follows each service, by its address. */
const followers = new Map<string, FollowOptions>()

/**
 * Asks for the progress until no model is being installed any more, also after the dialog has closed: then the editor shows
 * the result.
 */
export async function followInstallation(options: FollowOptions): Promise<void> {
  const address = addressOf(options.service)
  const previous = followers.get(address)
  // The response to another change may arrive after the next installation has begun.
  const { name, receive } = previous ?? {}
  followers.set(address, { name, receive, ...options })
  if (previous) return
  try {
    await pollUntilEnd(address)
  } catch (error) {
    notify((error as Error).message, 'error')
  } finally {
    followers.delete(address)
  }
}

async function pollUntilEnd(address: string): Promise<void> {
  let failures = 0
  for (;;) {
    const asking = followers.get(address)!
    const list = await listLocalModels(asking.service).catch((error) => {
      failures += 1
      if (failures > maxFailures) throw error
      return undefined
    })
    if (list) {
      failures = 0
      const follower = followers.get(address)!
      // An installation has begun since, which the list need not contain.
      if (follower !== asking) continue
      const running = list.models?.find(isInstalling)
      const result = running ? undefined : reportEnd(list, follower)
      follower.receive?.(list, result)
      if (!running) return
      follower.name = running.name
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}

/** The dialog has closed. */
export function stopReceiving(receive: Receiver): void {
  for (const follower of followers.values()) {
    if (follower.receive === receive) delete follower.receive
  }
}

function addressOf({ location, baseUrl }: ServiceSettings): string {
  return location === 'hosted' ? baseUrl : 'this device'
}

function reportEnd(
  { models }: InstallableModels,
  { name, onChange }: FollowOptions,
): string | undefined {
  const model = models?.find((each) => each.name === name)
  if (!model?.isInstalled && !model?.installation) return undefined
  if (model.isInstalled) {
    forgetVoices()
    onChange()
  }
  const { displayName } = model
  const result = model.isInstalled
    ? text('models.done', { name: displayName })
    : `${displayName}: ${adviceFor(model)}`
  notify(result, model.isInstalled ? 'success' : 'error')
  return result
}
