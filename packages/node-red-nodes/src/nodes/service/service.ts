import { join } from 'node:path'
import type { NodeAPI, NodeDef } from 'node-red'
import { BudgetFile } from '../../budgets/budget-file.ts'
import { provideThisDevice } from '../../runtime/find-service.ts'
import { handleClose } from '../../runtime/input.ts'
import { onRemoval } from '../../runtime/removed-nodes.ts'
import type { ProblemReport, ServiceNode } from '../../runtime/speech-service.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import { RecentSpeech } from '../../studio-server/recent-speech.ts'
import { recentSpeechTopic } from '../../studio-server/recent-text.ts'
import { createService, isOffered, type SettingsOfService } from './create-service.ts'
import { createDeviceService, startOnDevice } from './device-service.ts'
import { addAdminRoutes } from './editor/admin-routes.ts'
import { HomeAssistantOffer } from './home-assistant-offer.ts'
import { type PlaceSettings, placeOf, placeOfDevice, type SharedParts } from './service-place.ts'

interface ServiceCredentials {
  apiKey?: string
  redisPassword?: string
}

interface ServiceDef extends NodeDef, SettingsOfService, PlaceSettings {
  name: string
}

function register(RED: NodeAPI): void {
  const shared = createSharedParts(RED)
  const { device, offer, budgetFile, recentSpeech } = shared
  onRemoval(RED, ({ isDeleted }) => budgetFile.removeOf(isDeleted))

  function Service(this: ServiceNode, config: ServiceDef) {
    RED.nodes.createNode(this, config)
    const place = placeOf(RED, this, config, shared)
    const { close, ...service } = createService(RED, config, place)
    Object.assign(this, service)
    const offered = isOffered(config, place)
    offer.set(this.id, offered)
    if (offered) service.startAhead()
    handleClose(RED, this, () => {
      offer.set(this.id, false)
      return close()
    })
  }
  RED.nodes.registerType<ServiceNode, ServiceDef, object, ServiceCredentials>(
    'parlando-service',
    Service,
    {
      credentials: { apiKey: { type: 'password' }, redisPassword: { type: 'password' } },
      settings: { parlandoServiceLanguage: { value: nodeRedLanguage(RED), exportable: true } },
    },
  )
  const open = (settings: SettingsOfService) => (report: ProblemReport) =>
    createService(RED, settings, placeOfDevice(shared, report))
  provideThisDevice(open({}), open({ whenUnused: 'stop' }))
  addAdminRoutes(RED, device, recentSpeech)
}

function createSharedParts(RED: NodeAPI): SharedParts {
  const userFolder = RED.settings.userDir ?? '.'
  const folder = join(userFolder, 'parlando')
  const offer = new HomeAssistantOffer()
  const onProblem = (reason: string) => RED.log.warn(RED._('service.error.not-offered', { reason }))
  const device = createDeviceService({ start: startOnDevice(userFolder, { offer, onProblem }) })
  const budgetFile = new BudgetFile(join(folder, 'budgets.json'), ({ message }) =>
    RED.log.warn(RED._('service.error.budget-not-saved', { reason: message })),
  )
  // The studio then asks for the list: a text is only for users who may read it.
  const recentSpeech = new RecentSpeech(() => RED.comms.publish(recentSpeechTopic, {}, false))
  return { device, offer, budgetFile, recentSpeech, soundsFolder: join(folder, 'sounds') }
}

export = register
