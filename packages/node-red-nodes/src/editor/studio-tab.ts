import { forgetVoices } from './fields/voice-choices.ts'
import { RED, studioText } from './red.ts'

/** What the editor gives to the studio, which is a script of its own. */
export interface StudioTools {
  /** Called when the studio has changed the voices of a service: the forms then load their lists again. */
  forgetVoices(): void
}

/** Set by the script of the studio. */
export interface StudioScript {
  openStudio?(content: JQuery<HTMLElement>, tools: StudioTools): void
}

const folder = 'resources/@parlando/node-red'

/** Adds the voice studio to the sidebar. Its script, with the library that draws waveforms, loads when it is first shown. */
export function addStudioTab(): void {
  const content = $('<div class="parlando-studio"></div>')
  let isLoaded = false
  RED.sidebar.addTab({
    id: 'parlando-studio',
    label: studioText('tab'),
    name: studioText('title'),
    iconClass: 'fa fa-microphone',
    content,
    enableOnEdit: true,
    onchange() {
      if (isLoaded) return
      isLoaded = true
      load(content).catch((error: Error) => {
        isLoaded = false
        content.text(studioText('not-loaded', { reason: error.message }))
      })
    },
  })
}

async function load(content: JQuery<HTMLElement>): Promise<void> {
  content.text(studioText('loading'))
  $('<link rel="stylesheet">').attr('href', `${folder}/studio.css`).appendTo(document.head)
  await import(new URL(`${folder}/studio.js`, document.baseURI).href)
  const { Parlando } = globalThis as unknown as { Parlando: StudioScript }
  content.empty()
  Parlando.openStudio?.(content, { forgetVoices })
}
