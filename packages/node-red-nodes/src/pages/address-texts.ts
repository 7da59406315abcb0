/** Why Node-RED accepts no connection of a page, by language. */
export const addressTexts = {
  en: {
    proxy:
      'The proxy in front of Node-RED hides the address of this page. It must pass on the header Host, or X-Forwarded-Host.',
    unknownName:
      'Node-RED does not know the name in the address of this page. Open the page with the IP address of Node-RED, with a name that ends in .local, or with https. Or enter the name in parlandoHosts in the settings.js of Node-RED.',
  },
  de: {
    proxy:
      'Der Proxy vor Node-RED verbirgt die Adresse dieser Seite. Er muss den Header Host oder X-Forwarded-Host weitergeben.',
    unknownName:
      'Node-RED kennt den Namen in der Adresse dieser Seite nicht. Öffnen Sie die Seite mit der IP-Adresse von Node-RED, mit einem Namen, der auf .local endet, oder mit https. Oder tragen Sie den Namen unter parlandoHosts in der settings.js von Node-RED ein.',
  },
  es: {
    proxy:
      'El proxy delante de Node-RED oculta la dirección de esta página. Debe pasar la cabecera Host o X-Forwarded-Host.',
    unknownName:
      'Node-RED no conoce el nombre en la dirección de esta página. Abre la página con la dirección IP de Node-RED, con un nombre que termine en .local o con https. O escribe el nombre en parlandoHosts, en el settings.js de Node-RED.',
  },
  fr: {
    proxy:
      'Le proxy devant Node-RED masque l’adresse de cette page. Il doit transmettre l’en-tête Host ou X-Forwarded-Host.',
    unknownName:
      'Node-RED ne connaît pas le nom dans l’adresse de cette page. Ouvrez la page avec l’adresse IP de Node-RED, avec un nom qui se termine par .local ou avec https. Ou inscrivez le nom dans parlandoHosts du fichier settings.js de Node-RED.',
  },
  ja: {
    proxy:
      'Node-RED の前にあるプロキシが、このページのアドレスを隠しています。ヘッダー Host または X-Forwarded-Host を渡す必要があります。',
    unknownName:
      'このページのアドレスにある名前を Node-RED は知りません。Node-RED の IP アドレス、.local で終わる名前、または https でページを開いてください。または、Node-RED の settings.js の parlandoHosts に名前を入力してください。',
  },
  zh: {
    proxy: 'Node-RED 前面的代理隐藏了此页面的地址。代理必须传递 Host 或 X-Forwarded-Host 标头。',
    unknownName:
      'Node-RED 不认识此页面地址中的名称。请使用 Node-RED 的 IP 地址、以 .local 结尾的名称或 https 打开此页面，或者在 Node-RED 的 settings.js 的 parlandoHosts 中填写该名称。',
  },
}
