#!/bin/bash
# Boots systemd as process 1 of new namespaces, with the unit as its only service.
#   boot.sh FOLDER REPOSITORY NODE UNIT DROP_IN
# Runs in a mount namespace of its own. It cannot change this machine: the root is an overlay, and
# systemd gets its own /dev, network and control group, a read-only /sys and no other units.
set -euo pipefail
folder=$1 repository=$2 node=$3 unit=$4 drop_in=$5

mount -t tmpfs tmpfs "$folder"
mkdir "$folder"/{upper,work,root,cgroups}
root=$folder/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$root"
mount --bind /sys "$root/sys"
mount -o remount,bind,ro "$root/sys"
for path in run tmp dev etc/toponym opt; do
  mkdir -p "$root/$path"
  mount -t tmpfs tmpfs "$root/$path"
done
mkdir "$root"/dev/{pts,shm} "$root/opt/toponym"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t devpts -o newinstance devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"

# As after `npm install --global`.
mount --bind "$repository" "$root/opt/toponym"
rm -f "$root"/usr/local/bin/{node,toponym}
cp "$node" "$root/usr/local/bin/node"
printf '#!/bin/sh\nexec node /opt/toponym/bin/toponym.js "$@"\n' > "$root/usr/local/bin/toponym"
chmod +x "$root/usr/local/bin/toponym"

units=$root/run/systemd/system
mkdir -p "$units/toponym.service.d"
cp "$unit" "$units/toponym.service"
cp "$drop_in" "$units/toponym.service.d/test.conf"
for target in sysinit basic shutdown network-online; do
  printf '[Unit]\nDefaultDependencies=no\n' > "$units/$target.target"
done
printf '[Unit]\nDefaultDependencies=no\nWants=toponym.service\n' > "$units/test.target"

mount -t cgroup2 cgroup2 "$folder/cgroups"
group=$folder/cgroups/toponym-test-$$
mkdir "$group"
remove_group() {
  echo 0 > "$folder/cgroups/cgroup.procs"
  # Control groups are busy until the last process has ended.
  until find "$group" -depth -type d -exec rmdir {} + 2> /dev/null; do sleep 0.05; done
}
trap remove_group EXIT
echo 0 > "$group/cgroup.procs"

inside() {
  mount -t proc proc proc
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  ip link set lo up
  # PrivateUsers= does not work in a chroot, so the root is replaced.
  pivot_root . mnt
  umount --lazy /mnt
  mount --make-rshared / # systemd expects it, for credentials
  exec env --ignore-environment SYSTEMD_UNIT_PATH=/run/systemd/system container=other \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=test.target --show-status=no
}
export -f inside
cd "$root"
unshare --mount --pid --fork --kill-child --uts --ipc --net --cgroup bash -euc inside || true
