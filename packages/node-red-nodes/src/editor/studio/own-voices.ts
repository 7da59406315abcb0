import type { Voice } from '@parlando/core'
import { askService } from '../ask-admin.ts'
import { languageName } from '../fields/language-names.ts'
import { listenButton } from '../fields/listen-button.ts'
import { isClone, listVoices } from '../fields/voice-choices.ts'
import { studioText, text } from '../red.ts'
import { button, field, iconButton, readTags, section, statusLine, textInput } from './elements.ts'
import { download } from './files.ts'
import { requireService, type Studio } from './studio-service.ts'
import { useVoice } from './use-voice.ts'

/** The local service has the same limit. */
const maxFileBytes = 2 * 1024 * 1024

/** The clones of the user: listen, use, name and tag, save as files, add from files, delete. */
export class OwnVoices {
  readonly element: JQuery<HTMLElement>
  readonly #studio: Studio
  readonly #status = statusLine()
  readonly #list = $('<ul class="parlando-studio-list"></ul>')
  #loads = 0

  constructor(studio: Studio) {
    this.#studio = studio
    const { element, body } = section(studioText('own.title'), true)
    this.element = element
    const file = $('<input type="file" accept=".json,application/json" hidden>')
    file.on('change', () => {
      const [chosen] = (file[0] as HTMLInputElement).files ?? []
      if (chosen) void this.#import(chosen)
      file.val('')
    })
    const open = button(studioText('own.import'), 'fa-upload', () => void file.trigger('click'))
    const buttons = $('<div class="parlando-studio-buttons"></div>').append(open, file)
    body.append(this.#status.element, this.#list, buttons)
  }

  /** Loads the list again. @param result what has just happened. */
  async load(result = ''): Promise<void> {
    this.#loads += 1
    const mine = this.#loads
    try {
      const clones = (await listVoices(this.#studio.service())).filter(isClone)
      if (mine !== this.#loads) return
      this.#list.empty().append(clones.map((voice) => this.#item(voice)))
      this.#status.show(result || (clones.length === 0 ? studioText('own.none') : ''))
    } catch (error) {
      if (mine !== this.#loads) return
      this.#list.empty()
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#status.show((error as Error).message, { isProblem: true })
  }

  #item(voice: Voice): JQuery<HTMLElement> {
    const { voiceId, displayName, langCode, tags } = voice
    const name = displayName || voiceId
    const about = [langCode && languageName(langCode), ...(tags ?? [])].filter(Boolean).join(' · ')
    const item = $('<li></li>').append(
      $('<div></div>').append($('<b></b>').text(name)),
      $('<small></small>').text(about),
    )
    const actions = $('<div class="parlando-studio-buttons"></div>')
    const replace = (form: JQuery<HTMLElement>) => {
      actions.hide().after(form)
      form.find('input, button').first().trigger('focus').trigger('select')
    }
    const onProblem = (problem: string) => this.#status.show(problem, { isProblem: true })
    const listen = listenButton({
      service: () => this.#studio.service(),
      voiceId: () => voiceId,
      onProblem,
    })
    actions.append(
      listen.attr('aria-label', `${text('listen')}: ${name}`),
      button(studioText('own.use'), 'fa-check', () => useVoice(this.#studio, voice)).attr(
        'aria-label',
        `${studioText('own.use')}: ${name}`,
      ),
      iconButton(studioText('own.edit', { name }), 'fa-pencil', () =>
        replace(this.#editForm(voice, actions)),
      ),
      iconButton(studioText('own.export', { name }), 'fa-download', () => void this.#export(voice)),
      iconButton(studioText('own.delete', { name }), 'fa-trash-o', () =>
        replace(this.#deletion(voice, actions)),
      ),
    )
    return item.append(actions)
  }

  #editForm(voice: Voice, actions: JQuery<HTMLElement>): JQuery<HTMLElement> {
    const name = textInput()
      .val(voice.displayName ?? '')
      .prop('required', true)
    const tags = textInput().val((voice.tags ?? []).join(', '))
    const description = textInput().val(voice.description ?? '')
    const save = $('<button type="submit" class="red-ui-button primary"></button>')
    save.text(studioText('own.save'))
    const form = $('<form class="parlando-studio-form"></form>').append(
      field(text('row.name'), name),
      field(studioText('clone.tags'), tags),
      field(studioText('own.description'), description),
      $('<div class="parlando-studio-buttons"></div>').append(save, cancelButton(actions)),
    )
    return form.on('submit', (event) => {
      event.preventDefault()
      const displayName = String(name.val()).trim()
      void this.#change(
        'studio/change',
        {
          voiceId: voice.voiceId,
          displayName,
          tags: readTags(tags),
          description: String(description.val()).trim(),
        },
        studioText('own.saved', { name: displayName }),
      )
    })
  }

  #deletion(voice: Voice, actions: JQuery<HTMLElement>): JQuery<HTMLElement> {
    const name = voice.displayName || voice.voiceId
    const remove = button(studioText('own.delete-now'), 'fa-trash-o', () => {
      const { voiceId } = voice
      void this.#change('studio/delete', { voiceId }, studioText('own.deleted', { name }))
    })
    return $('<div></div>').append(
      $('<p></p>').text(studioText('own.delete-question', { name })),
      $('<div class="parlando-studio-buttons"></div>').append(remove, cancelButton(actions)),
    )
  }

  async #export({ voiceId, displayName }: Voice): Promise<void> {
    try {
      const service = requireService(this.#studio)
      const file = await askService<object>('studio/export', { service, voiceId })
      const type = 'application/json'
      download(new Blob([JSON.stringify(file)], { type }), `${displayName || voiceId}.voice.json`)
    } catch (error) {
      this.#fail(error)
    }
  }

  async #import(chosen: File): Promise<void> {
    try {
      const service = requireService(this.#studio)
      const file = await readVoiceFile(chosen)
      const { voice } = await askService<{ voice: Voice }>('studio/import', { service, file })
      this.#studio.onVoicesChange()
      await this.load(studioText('own.imported', { name: voice.displayName ?? voice.voiceId }))
    } catch (error) {
      this.#fail(error)
    }
  }

  async #change(
    path: 'studio/change' | 'studio/delete',
    change: object,
    result: string,
  ): Promise<void> {
    try {
      await askService(path, { service: requireService(this.#studio), ...change })
      this.#studio.onVoicesChange()
      await this.load(result)
    } catch (error) {
      this.#fail(error)
    }
  }
}

/** A file that the studio has saved. @throws an Error with a message for the user if it is another one. */
async function readVoiceFile(file: File): Promise<object> {
  try {
    if (file.size > maxFileBytes) throw new Error('too large')
    const content = JSON.parse(await file.text()) as { parlandoVoice?: number } | null
    if (!content?.parlandoVoice) throw new Error('another format')
    return content
  } catch {
    throw new Error(studioText('own.not-a-voice'))
  }
}

/** Removes the form that replaces the actions of a voice. */
function cancelButton(actions: JQuery<HTMLElement>): JQuery<HTMLElement> {
  return button(text('models.cancel'), 'fa-times', () => {
    actions.next().remove()
    actions.show().find('button').last().trigger('focus')
  })
}
