import { definitions } from '../../../../schemas/intelligence/entities/catalogue.ts'

/** What a pasted value may be taken for, in the order that a reader chooses from. */
export const INDICATOR_KINDS = {
  ip: { label: 'IP address', types: ['ip'] },
  cidr: { label: 'Network (CIDR)', types: ['cidr'] },
  domain: { label: 'Domain or host name', types: ['domain', 'hostname'] },
  url: { label: 'URL', types: typesOf('URL') },
  hash: { label: 'File hash', types: typesOf(/^(MD5|SHA|UUID\|MD5|Hexadecimal)/) },
  email: { label: 'Email address', types: typesOf('Email') },
  cve: { label: 'Vulnerability (CVE)', types: ['cve'] },
  asn: { label: 'Autonomous system (ASN)', types: ['asn'] },
  id: { label: 'Entity id', types: [] },
  text: { label: 'Text', types: [] },
} as const satisfies Record<string, { label: string; types: readonly string[] }>

export type IndicatorKind = keyof typeof INDICATOR_KINDS

export const isIndicatorKind = (name: string | null): name is IndicatorKind =>
  name !== null && Object.hasOwn(INDICATOR_KINDS, name)

function typesOf(dataType: string | RegExp): string[] {
  const fits = (given: string) => (typeof dataType === 'string' ? given === dataType : dataType.test(given))
  return definitions()
    .filter((definition) => fits(definition.dataType))
    .map(({ type }) => type)
}
