/**
 * Ports of services that are harmed by an HTTP request, or that answer it with something worth stealing. Browsers refuse the
 * first group (https://fetch.spec.whatwg.org/#port-blocking, read 2026-11-21); the second are databases and control planes.
 */
const BROWSERS_REFUSE = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
] as const

const STORES_AND_CONTROL_PLANES = [
  445, // SMB
  1433, // SQL Server
  1521, // Oracle
  2181, // ZooKeeper
  2375, // Docker
  2376,
  2379, // etcd
  2380,
  3306, // MySQL
  3389, // RDP
  5432, // PostgreSQL
  5900, // VNC
  5984, // CouchDB
  5985, // WinRM
  5986,
  6379, // Redis
  9042, // Cassandra
  9200, // Elasticsearch
  9300,
  10250, // kubelet
  10255,
  11211, // memcached
  27017, // MongoDB
] as const

const BLOCKED: ReadonlySet<number> = new Set([...BROWSERS_REFUSE, ...STORES_AND_CONTROL_PLANES])

export function isBlockedPort(port: number): boolean {
  return BLOCKED.has(port)
}
