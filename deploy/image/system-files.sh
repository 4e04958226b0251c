#!/bin/sh
# Collects the system files of the final image in the folder $1: the libraries that Node.js loads,
# users, the order of name lookups, /tmp, and the command. For scanners and licences it adds the
# packages' entries and copyright files.
set -eu
root=$1

for library in $(ldd /usr/local/bin/node | grep --only-matching '/[^ ]*'); do
  # /lib is a link to /usr/lib
  folder=$root$(realpath "$(dirname "$library")")
  mkdir --parents "$folder"
  cp --dereference "$library" "$folder"
done
for link in /lib /lib64; do
  if [ -L "$link" ]; then cp --no-dereference "$link" "$root"; fi
done

mkdir --parents "$root/etc" "$root/usr/local/bin" "$root/var/lib/dpkg/status.d"
cp --dereference /etc/os-release "$root/etc"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
printf '%s\n' root:x:0:0:root:/root:/sbin/nologin \
  nonroot:x:65532:65532:nonroot:/nonexistent:/sbin/nologin > "$root/etc/passwd"
printf '%s\n' root:x:0: nonroot:x:65532: > "$root/etc/group"
install --directory --mode=1777 "$root/tmp"
ln -s /app/bin/toponym.js "$root/usr/local/bin/toponym"

for package in libc6 libgcc-s1 libstdc++6; do
  dpkg-query --status "$package" > "$root/var/lib/dpkg/status.d/$package"
done
cp --parents /usr/share/doc/libc6/copyright /usr/share/doc/gcc-*-base/copyright "$root"
