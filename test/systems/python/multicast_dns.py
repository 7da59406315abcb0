"""Speaks mDNS as Home Assistant does. `browse TYPE` prints the first service of a type; `publish TYPE NAME PORT` makes one known."""

import socket
import sys
import time

from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf

LIMIT_SECONDS = 60


def browse(service_type: str) -> None:
    zeroconf = Zeroconf()
    found: list[str] = []

    class Listener:
        def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
            info = zc.get_service_info(type_, name)
            if info:
                found.append(f"{name} {info.parsed_addresses()[0]} {info.port}")

        def update_service(self, *_: object) -> None: ...

        def remove_service(self, *_: object) -> None: ...

    ServiceBrowser(zeroconf, service_type, Listener())
    end = time.monotonic() + LIMIT_SECONDS
    while not found and time.monotonic() < end:
        time.sleep(0.1)
    print(*found[:1])
    zeroconf.close()


def publish(service_type: str, name: str, port: str, address: str) -> None:
    zeroconf = Zeroconf()
    addresses = [socket.inet_aton(address)]
    zeroconf.register_service(
        ServiceInfo(service_type, f"{name}.{service_type}", port=int(port), addresses=addresses)
    )
    time.sleep(LIMIT_SECONDS)


{"browse": browse, "publish": publish}[sys.argv[1]](*sys.argv[2:])
