/** A thing with a name, which STIX has an object for. */
export type NamedForm = {
  object: 'malware' | 'threat-actor' | 'intrusion-set' | 'campaign' | 'vulnerability'
  /** Whether the object says when it was seen. */
  isSeen: boolean
}

/** Types of entity that are an object of their own in STIX, and not an observable. */
export const NAMED: Readonly<Record<string, NamedForm>> = {
  malware: { object: 'malware', isSeen: true },
  adversary: { object: 'threat-actor', isSeen: true },
  group: { object: 'intrusion-set', isSeen: true },
  threat: { object: 'campaign', isSeen: true },
  cve: { object: 'vulnerability', isSeen: false },
}

/** The vocabulary `malware-type-ov`. Other classes stay in the extension. */
export const MALWARE_TYPES: ReadonlySet<string> = new Set(
  (
    'adware backdoor bot bootkit ddos downloader dropper exploit-kit keylogger ransomware remote-access-trojan ' +
    'resource-exploitation rogue-security-software rootkit screen-capture spyware trojan unknown virus webshell wiper worm'
  ).split(' '),
)

export const CVE_ID = /^cve-\d{4}-(?:0\d{3}|[1-9]\d{3,})$/
