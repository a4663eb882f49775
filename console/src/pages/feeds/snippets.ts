/** How devices and servers read a feed: lines to put into them, each with the address of the list. */

export type Snippet = {
  product: string
  /** Of the list. */
  format: string
  /** Where the text goes. */
  where: string
  text: (url: string) => string
}

export const SNIPPETS: readonly Snippet[] = [
  {
    product: 'Palo Alto Networks',
    format: 'palo-ip',
    where: 'Configuration mode of PAN-OS; then name harrier in a rule of the security policy.',
    text: (url) =>
      `set external-list harrier type ip url ${url}\nset external-list harrier type ip recurring five-minute`,
  },
  {
    product: 'Fortinet FortiGate',
    format: 'fortinet-ip',
    where: 'CLI of FortiOS; then name harrier as the source or destination of a policy.',
    text: (url) =>
      `config system external-resource\n  edit "harrier"\n    set type address\n    set resource "${url}"\n    set refresh-rate 5\n  next\nend`,
  },
  {
    product: 'pfSense',
    format: 'text',
    where: 'Firewall, Aliases, URLs: a new alias of the type URL Table (IPs).',
    text: (url) => `Type: URL Table (IPs)\nURL: ${url}\nUpdate frequency: 1 day`,
  },
  {
    product: 'Suricata',
    format: 'suricata-dataset',
    where: 'A rule, and a job that fetches the file and reloads the rules.',
    text: (url) =>
      `*/5 * * * * curl -fsS --etag-compare /var/lib/suricata/harrier.etag --etag-save /var/lib/suricata/harrier.etag -o /var/lib/suricata/harrier.lst ${url} && suricatasc -c reload-rules\n\nalert dns any any -> any any (msg:"Harrier: a listed name"; dns.query; dataset:isset,harrier,type string,load harrier.lst; sid:9000001; rev:1;)`,
  },
  {
    product: 'Zeek',
    format: 'zeek',
    where: 'local.zeek, and a job that fetches the file. Zeek notices that it changed.',
    text: (url) =>
      `@load frameworks/intel/seen\nredef Intel::read_files += { "/opt/zeek/share/harrier.intel" };\n\n# crontab\n*/5 * * * * curl -fsS -o /opt/zeek/share/harrier.intel ${url}`,
  },
  {
    product: 'Splunk',
    format: 'csv',
    where: 'A lookup file: a job puts it into the app, a search joins it.',
    text: (url) =>
      `*/5 * * * * curl -fsS -o $SPLUNK_HOME/etc/apps/search/lookups/harrier.csv ${url}\n\nindex=firewall | lookup harrier.csv value AS dest_ip OUTPUT reputation accuracy tags | where isnotnull(reputation)`,
  },
  {
    product: 'Unbound',
    format: 'unbound',
    where: 'unbound.conf, and a job that fetches the file.',
    text: (url) =>
      `server:\n  include: "/etc/unbound/harrier.conf"\n\n# crontab\n*/5 * * * * curl -fsS -o /etc/unbound/harrier.conf ${url} && unbound-control reload_keep_cache`,
  },
  {
    product: 'BIND',
    format: 'rpz',
    where: 'named.conf, and a job that fetches the zone.',
    text: (url) =>
      `options { response-policy { zone "rpz.harrier"; }; };\nzone "rpz.harrier" { type primary; file "/etc/bind/rpz.harrier"; allow-query { none; }; };\n\n# crontab\n*/5 * * * * curl -fsS -o /etc/bind/rpz.harrier ${url} && rndc reload rpz.harrier`,
  },
]
