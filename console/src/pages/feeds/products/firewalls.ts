import type { Product } from './product.ts'

type Listed = { what: string; format: string; list: string; use: string }

const paloAlto = ({ what, format, list, type, use }: Listed & { type: string }): Product => ({
  name: `Palo Alto Networks: ${what}`,
  format,
  about: `PAN-OS checks the certificate of an https address only with a certificate profile. ${use}`,
  blocks: (url) => [
    {
      where: 'Configuration mode of PAN-OS (configure). Nothing takes effect before the commit.',
      kind: 'config',
      text: `set external-list ${list} type ${type} url ${url}\nset external-list ${list} type ${type} recurring five-minute\ncommit`,
    },
  ],
})

/** `category`: FortiOS gives each list of names or URLs a number of its own, 192 to 221. */
const fortinet = ({
  what,
  format,
  list,
  type,
  category,
  use,
}: Listed & { type: string; category?: number }): Product => ({
  name: `Fortinet FortiGate: ${what}`,
  format,
  about: category === undefined ? use : `${use} Use another category if ${category} is in use (192 to 221).`,
  blocks: (url) => [
    {
      where: 'CLI of FortiOS.',
      kind: 'config',
      text: [
        'config system external-resource',
        `  edit "${list}"`,
        `    set type ${type}`,
        ...(category === undefined ? [] : [`    set category ${category}`]),
        `    set resource "${url}"`,
        '    set refresh-rate 5',
        '  next',
        'end',
      ].join('\n'),
    },
  ],
})

/** Firewalls that fetch a list by themselves. */
export const FIREWALLS: readonly Product[] = [
  paloAlto({
    what: 'addresses',
    format: 'palo-ip',
    list: 'harrier',
    type: 'ip',
    use: 'Then name harrier as source or destination of a rule of the security policy.',
  }),
  paloAlto({
    what: 'names',
    format: 'palo-domain',
    list: 'harrier-names',
    type: 'domain',
    use: 'Then choose harrier-names under DNS Policies of an anti-spyware profile.',
  }),
  paloAlto({
    what: 'URLs',
    format: 'palo-url',
    list: 'harrier-urls',
    type: 'url',
    use: 'Then choose harrier-urls in a profile of URL filtering.',
  }),
  fortinet({
    what: 'addresses',
    format: 'fortinet-ip',
    list: 'harrier',
    type: 'address',
    use: 'Then name harrier as the source or destination of a policy.',
  }),
  fortinet({
    what: 'names',
    format: 'fortinet-domain',
    list: 'harrier-names',
    type: 'domain',
    category: 192,
    use: 'Then block its category in a DNS filter profile.',
  }),
  fortinet({
    what: 'URLs',
    format: 'fortinet-url',
    list: 'harrier-urls',
    type: 'category',
    category: 193,
    use: 'Then block its category in a web filter profile.',
  }),
  fortinet({
    what: 'hashes',
    format: 'fortinet-hash',
    list: 'harrier-hashes',
    type: 'malware',
    use: 'Then switch on the external block list in an antivirus profile.',
  }),
  {
    name: 'pfSense',
    format: 'pf',
    about: 'Then use the alias in a rule of the firewall. pfSense fetches it at most once a day.',
    blocks: (url) => [
      {
        where: 'Firewall, Aliases, URLs: a new alias of the type URL Table (IPs), with this address and 1 day.',
        kind: 'config',
        text: url,
      },
    ],
  },
]
