import { forgetVoices } from '../fields/voice-choices.ts'
import { RED } from '../red.ts'
import type { StudioScript, StudioTools } from '../studio-tab.ts'
import { CompareVoices } from './compare-voices.ts'
import { OwnVoices } from './own-voices.ts'
import { RecentList } from './recent-list.ts'
import { RecordSection } from './record-section.ts'
import { type Studio, serviceField } from './studio-service.ts'

/** Fills the sidebar. This file becomes resources/studio.js, which the editor loads when the sidebar is first shown. */
function openStudio(content: JQuery<HTMLElement>, tools: StudioTools): void {
  const services = serviceField(() => void voices.load())
  const studio: Studio = {
    service: services.service,
    onVoicesChange() {
      // The forms have a list of their own.
      tools.forgetVoices()
      forgetVoices()
      void voices.load()
    },
  }
  const record = new RecordSection(studio)
  const voices = new OwnVoices(studio)
  const compare = new CompareVoices(studio)
  const recent = new RecentList()
  const mayChangeVoices = RED.user.hasPermission('parlando.write')
  if (mayChangeVoices) {
    content.append(services.element, record.element, voices.element, compare.element)
    record.open()
    compare.open()
    void voices.load()
  }
  content.append(recent.element)
}

const { Parlando } = globalThis as unknown as { Parlando: StudioScript }
Parlando.openStudio = openStudio
