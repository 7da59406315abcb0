import { languageOf } from '@parlando/core/text'
import { voiceLanguageField } from '../fields/language-field.ts'
import { cloneText, RED, readingText, studioText, text } from '../red.ts'
import { CloneForm } from './clone-form.ts'
import { decodeFile } from './decode-file.ts'
import { button, field, newId, section, statusLine, textInput } from './elements.ts'
import { LiveRecording } from './live-recording.ts'
import type { Studio } from './studio-service.ts'
import { Trimmer } from './trimmer.ts'

/** The section that makes a clone of a recording: record or drop a file, cut, clone, hear both. */
export class RecordSection {
  readonly element: JQuery<HTMLElement>
  readonly #studio: Studio
  readonly #body: JQuery<HTMLElement>
  readonly #language = textInput().attr('id', newId())
  readonly #reading = $('<blockquote class="parlando-studio-reading"></blockquote>')
  readonly #work = $('<div></div>')
  readonly #status = statusLine()
  readonly #record: JQuery<HTMLElement>
  #live: LiveRecording | undefined
  #trimmer: Trimmer | undefined
  /** Counts what takes the place of a recording: the next one, or a file. */
  #takes = 0

  constructor(studio: Studio) {
    this.#studio = studio
    const { element, body } = section(studioText('record.title'), true)
    this.element = element
    this.#body = body
    this.#record = button(studioText('record.start-recording'), 'fa-circle', () => {
      void this.#toggleRecording()
    })
  }

  /** Called when the element is in the page. */
  open(): void {
    const file = $('<input type="file" accept="audio/*,video/webm" hidden>')
    file.on('change', () => {
      const [chosen] = (file[0] as HTMLInputElement).files ?? []
      if (chosen) void this.#openFile(chosen)
      file.val('')
    })
    const buttons = $('<div class="parlando-studio-buttons"></div>').append(
      this.#record.addClass('parlando-studio-record'),
      button(studioText('record.open'), 'fa-folder-open-o', () => void file.trigger('click')),
      file,
    )
    const hint = $('<p class="parlando-studio-note"></p>').text(studioText('record.hint'))
    const language = field(text('row.language'), this.#language)
    // The text is below the meter, so that both are in view while somebody reads.
    this.#body.append(language, hint, buttons, this.#status.element, this.#work, this.#reading)
    const automatic = cloneText('language-auto')
    this.#language.attr('placeholder', automatic)
    voiceLanguageField(`#${this.#language.attr('id')}`, automatic)
    this.#language.on('change', () => this.#showReadingText())
    this.#showReadingText()
    this.#acceptDrops()
  }

  get #readingText(): { language: string; words: string } {
    const wanted = [String(this.#language.val()), RED.i18n.lang()].map(languageOf)
    const language = wanted.find((code) => readingText(code) !== undefined) ?? 'en'
    return { language, words: readingText(language)! }
  }

  #showReadingText(): void {
    const { language, words } = this.#readingText
    this.#reading.attr('lang', language).text(words)
  }

  #acceptDrops(): void {
    const mark = (isOver: boolean) => this.#body.toggleClass('parlando-studio-drop', isOver)
    this.#body.on('dragover', (event) => {
      event.preventDefault()
      // The editor would take it for a flow to import.
      event.stopPropagation()
      mark(true)
    })
    this.#body.on('dragleave', () => mark(false))
    this.#body.on('drop', (event) => {
      event.preventDefault()
      event.stopPropagation()
      mark(false)
      const [file] = event.originalEvent?.dataTransfer?.files ?? []
      if (file) void this.#openFile(file)
    })
  }

  async #toggleRecording(): Promise<void> {
    if (this.#live) return this.#endRecording()
    this.#clear()
    const live = new LiveRecording(() => {
      if (this.#live === live) this.#endRecording()
    })
    this.#live = live
    this.#status.show(studioText('mic.opening'))
    try {
      await live.start()
    } catch (error) {
      // Somebody may have stopped it meanwhile, and begun another one.
      if (this.#live !== live) return
      this.#live = undefined
      this.#status.show((error as Error).message, { isProblem: true })
      return
    }
    if (this.#live !== live) return
    this.#status.show('')
    this.#work.append(live.element)
    this.#showRecording(true)
    this.#scrollTo(this.#record)
  }

  /** Not `scrollIntoView`: that also scrolls what is around the sidebar. */
  #scrollTo(target: JQuery<HTMLElement>): void {
    const studio = this.element.closest('.parlando-studio')
    const distance = target.offset()!.top - studio.offset()!.top
    studio.scrollTop(studio.scrollTop()! + distance)
  }

  #endRecording(): void {
    const samples = this.#live?.stop()
    this.#live = undefined
    this.#showRecording(false)
    this.#status.show('')
    if (samples?.length) this.#showTrimmer(samples, this.#readingText.words)
  }

  #showRecording(isRecording: boolean): void {
    const label = studioText(isRecording ? 'record.stop' : 'record.again')
    this.#record.children('span').text(label)
    this.#record.children('i').attr('class', `fa ${isRecording ? 'fa-stop' : 'fa-circle'}`)
    this.#record.toggleClass('parlando-studio-recording', isRecording)
  }

  async #openFile(file: File): Promise<void> {
    if (this.#live) this.#endRecording()
    this.#clear()
    const take = this.#takes
    this.#status.show(studioText('record.decoding'))
    try {
      const samples = await decodeFile(file)
      if (take !== this.#takes) return
      this.#status.show('')
      this.#showTrimmer(samples, '')
    } catch (error) {
      if (take !== this.#takes) return
      this.#status.show((error as Error).message, { isProblem: true })
    }
  }

  /** @param words what was probably said. */
  #showTrimmer(samples: Int16Array, words: string): void {
    this.#clear()
    const trimmer = new Trimmer(samples)
    this.#trimmer = trimmer
    const form = new CloneForm(this.#studio, {
      words,
      language: () => String(this.#language.val()).trim() || 'AUTO',
      recording: () => trimmer.selection,
    })
    this.#work.append(trimmer.element, form.element)
    this.#reading.hide()
    trimmer.open()
  }

  #clear(): void {
    this.#takes += 1
    this.#trimmer?.close()
    this.#trimmer = undefined
    this.#work.empty()
    this.#reading.show()
    this.#status.show('')
  }
}
