import { RED } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { text } from '../texts.ts'
import { forgetVoices } from '../voice-list.ts'
import { adviceFor, isInstalling, type LocalModelList, listLocalModels } from './model-list.ts'

/** Receives each list while a model is being installed, and at the end the result as a sentence. */
type Receiver = (list: LocalModelList, result?: string) => void

const intervalMs = 1_000
/** In a row. A deploy closes the connections of the forms, and Node-RED may be busy for a moment. */
const maxFailures = 5

let follower: Pick<FollowOptions, 'receive' | 'onChange'> | undefined
let isFollowing = false

export interface FollowOptions {
  service: ServiceSettings
  /** The model whose installation has just begun, if there is one. It may end before the first request. */
  name?: string
  receive: Receiver
  /** Called when a model was installed. */
  onChange(): void
}

/**
 * Asks for the progress until no model is being installed any more, also after the dialog has closed: then the editor shows
 * the result.
 */
export async function followInstallation(options: FollowOptions): Promise<void> {
  follower = options
  if (isFollowing) return
  isFollowing = true
  let { name } = options
  let failures = 0
  try {
    for (;;) {
      const list = await listLocalModels(options.service).catch((error) => {
        failures += 1
        if (failures > maxFailures) throw error
        return undefined
      })
      if (list) {
        failures = 0
        const running = list.models?.find(isInstalling)
        follower.receive(list, running || !name ? undefined : reportEnd(list, name))
        if (!running) return
        name = running.name
      }
      await new Promise((resolve) => setTimeout(resolve, intervalMs))
    }
  } catch (error) {
    notify((error as Error).message, 'error')
  } finally {
    isFollowing = false
  }
}

/** The dialog has closed. */
export function stopReceiving(receive: Receiver): void {
  if (follower?.receive === receive) follower = { ...follower, receive: () => {} }
}

function reportEnd({ models }: LocalModelList, name: string): string | undefined {
  const model = models?.find((each) => each.name === name)
  if (!model?.isInstalled && !model?.installation) return undefined
  if (model.isInstalled) {
    forgetVoices()
    follower?.onChange()
  }
  const { displayName } = model
  const result = model.isInstalled
    ? text('models.done', { name: displayName })
    : `${displayName}: ${adviceFor(model)}`
  notify(result, model.isInstalled ? 'success' : 'error')
  return result
}

/** A plain text would be taken as HTML. */
function notify(words: string, type: 'success' | 'error'): void {
  RED.notify($('<span></span>').text(words), type)
}
