import { playerNodes } from '../sounds/to-play/player-messages.ts'

/** A row that several forms have. */
interface SharedRow {
  /** The key of the label. Default: the row's own. */
  caption?: string
  /** The icon of the label. A checkbox has its label behind it, without an icon. */
  icon?: string
  /** Attributes of the field, unless the form sets them. */
  attributes?: Record<string, string>
  /** The options of a select: value and key of the text. Default: those in the form. */
  options?: Record<string, string>
  /** Whether the field is a typed input, whose type has a field of its own. */
  isTyped?: true
  /** The key of the text after the field. */
  unit?: string
}

const rows: Readonly<Record<string, SharedRow>> = {
  name: { icon: 'fa-tag', attributes: placeholder(label('row.name')) },
  service: { icon: 'fa-server' },
  speaker: { icon: 'fa-volume-up' },
  mcpServer: { icon: 'fa-plug' },
  mcpAccess: { icon: 'fa-key' },
  alsoOn: { icon: 'fa-plus-square-o' },
  text: { icon: 'fa-commenting-o', isTyped: true },
  voice: { icon: 'fa-user', attributes: placeholder(label('placeholder.voice')) },
  model: { icon: 'fa-cog', attributes: placeholder(label('placeholder.model')) },
  speakingRate: {
    icon: 'fa-tachometer',
    attributes: { type: 'number', min: '0.5', max: '1.5', step: '0.05', placeholder: '1' },
  },
  language: { icon: 'fa-language', attributes: placeholder(label('placeholder.language')) },
  clean: { attributes: { type: 'checkbox' } },
  volume: {
    icon: 'fa-volume-up',
    attributes: { type: 'number', min: '0', max: '100' },
    unit: label('percent'),
  },
  output: { icon: 'fa-sign-out' },
  busy: {
    icon: 'fa-hourglass-half',
    options: choices(['wait', 'parallel', 'replace'], (value) => label(`busy.${value}`)),
  },
  endOfTurn: {
    icon: 'fa-pause',
    options: choices(
      ['quick', 'normal', 'understands', 'relaxed', 'silence', 'recording'],
      (value) => label(`end-of-turn.${value}`),
    ),
  },
  silenceMs: {
    icon: 'fa-clock-o',
    attributes: { type: 'number', min: '20', max: '5000', placeholder: '500' },
    unit: label('milliseconds'),
  },
  player: {
    icon: 'fa-plug',
    caption: addressLabel('address.label.player'),
    options: choices(playerNodes, (value) => addressLabel(`address.player.${value}`)),
  },
  address: {
    icon: 'fa-globe',
    caption: addressLabel('address.label.address'),
    attributes: placeholder(addressLabel('address.placeholder.address')),
  },
  response: {
    icon: 'fa-download',
    caption: addressLabel('address.label.response'),
    options: choices(['adaptive', 'chunked', 'file'], (value) =>
      addressLabel(`address.response.${value}`),
    ),
  },
}

/**
 * Replaces each field that a form marks with `data-row` by a whole row with icon and label. A row that several forms have needs
 * nothing else: `<select data-row="busy"></select>`. Others name their label, its icon, the text after the field, and whether it
 * is a typed input: `<input data-row="room" data-label="speaker.label.room" data-icon="fa-home" data-unit="…" data-typed>`.
 * The class and kinds of the field move to the row. Gives each `<details data-more>` its title, and wraps the form in an element
 * for the styles.
 * @param form The HTML of the form's template.
 * @param prefix How the ids of its fields begin: `node-input`, or `node-config-input` for a configuration node.
 * @param complete Adds fields first.
 */
export function completeRows(
  form: string,
  prefix: string,
  complete: (form: DocumentFragment) => void = () => {},
): string {
  const template = document.createElement('template')
  template.innerHTML = form
  complete(template.content)
  for (const field of Array.from(template.content.querySelectorAll<HTMLElement>('[data-row]'))) {
    const row = $('<div class="form-row"></div>').addClass(field.className).insertBefore(field)
    for (const kind of ['data-kind', 'data-not-kind']) {
      // Nothing if the field has none.
      row.attr(kind, field.getAttribute(kind)!)
    }
    row.append(...rowOf(field, prefix))
  }
  for (const more of Array.from(template.content.querySelectorAll('[data-more]'))) {
    more.classList.add('parlando-more')
    $('<summary></summary>').attr('data-i18n', label('more')).prependTo(more)
  }
  return `<div class="parlando-form">${template.innerHTML}</div>`
}

/** Whether several forms have a row. */
export function isSharedRow(name: string): boolean {
  return Object.hasOwn(rows, name)
}

function rowOf(field: HTMLElement, prefix: string): (JQuery | string)[] {
  const { row: name = '', ...own } = field.dataset
  const shared = rows[name] ?? {}
  const { label: caption = shared.caption ?? label(`row.${name}`) } = own
  const { icon = shared.icon, unit = shared.unit } = own
  const isTyped = shared.isTyped || own['typed'] !== undefined
  const id = `${prefix}-${name}`
  const input = completeField(field, shared, isTyped).attr('id', id)
  const words = $('<span></span>').attr('data-i18n', caption)
  const title = $('<label></label>').attr('for', id)
  if (!icon) return [title.css('width', 'auto').append(input, ' ', words)]
  title.append($('<i></i>').attr('class', `fa ${icon}`), ' ', words)
  // The spaces that separate the elements in the rows written as HTML.
  const row = [title, ' ', input]
  if (isTyped) row.push($('<input type="hidden">').attr('id', `${id}Type`))
  if (unit) {
    // Two fields may differ only in their unit, such as "a day" and "a month".
    const [wordsId, unitId] = [`${id}-words`, `${id}-unit`]
    words.attr('id', wordsId)
    input.attr('aria-labelledby', `${wordsId} ${unitId}`)
    row.push(' ', $('<span></span>').attr({ id: unitId, 'data-i18n': unit }))
  }
  return row
}

/** Gives a field the attributes of its row, unless the form sets them, the look of its type, and its options. */
function completeField(
  field: HTMLElement,
  { attributes, options = {} }: SharedRow,
  isTyped: boolean,
) {
  const input = $(field).removeAttr(
    'data-row data-kind data-not-kind data-label data-icon data-unit data-typed class',
  )
  const own = Object.fromEntries(Array.from(field.attributes, ({ name, value }) => [name, value]))
  input.attr({ ...(field instanceof HTMLInputElement && { type: 'text' }), ...attributes, ...own })
  const type = input.attr('type')
  if (type === 'number') input.addClass('parlando-number')
  else if (type === 'checkbox') input.attr('style', 'width: auto; vertical-align: top')
  else if (!type || isTyped) input.attr('style', 'width: 70%')
  for (const [value, key] of Object.entries(options)) {
    $('<option></option>').attr({ value, 'data-i18n': key }).appendTo(input)
  }
  return input
}

function placeholder(key: string): Record<string, string> {
  return { 'data-i18n': `[placeholder]${key}` }
}

/** The key of a text that all forms share. */
function label(key: string): string {
  return `@parlando/node-red/parlando-service:editor.${key}`
}

/** The key of a text of *sound address*, whose rows a speaker also has for which another node plays. */
function addressLabel(key: string): string {
  return `@parlando/node-red/parlando-address:${key}`
}

/** The options of a select, with the key of the text of each. */
function choices(
  values: readonly string[],
  keyOf: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, keyOf(value)]))
}
