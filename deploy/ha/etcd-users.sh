#!/bin/sh
# Once, when etcd runs on all three machines and before Patroni does. From then on etcd refuses a client without a password. Replace the
# two passwords; Patroni has the second.
set -eu
export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379
etcdctl role add root
echo 'ETCD_ROOT_PASSWORD' | etcdctl user add root --interactive=false
etcdctl user grant-role root root
# Patroni's keys and no others.
etcdctl role add patroni
etcdctl role grant-permission patroni --prefix=true readwrite /service/
echo 'ETCD_PASSWORD' | etcdctl user add patroni --interactive=false
etcdctl user grant-role patroni patroni
etcdctl auth enable
