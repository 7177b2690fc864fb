// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a JVM of members has to know. It gets it on its standard input, for there is a password in it.
 *
 * @param variant how its members come to their number of connections
 * @param store the fleet's store, or that of the permits
 * @param uri where that is; empty if it is in the database
 * @param port of the database, at 127.0.0.1
 * @param user of the database, and the database's name
 * @param password of the user
 * @param first the number of its first member
 * @param members how many it has
 * @param cap connections that all members of all JVMs share
 * @param instancesMax the most members at a time
 * @param reserve how many of them are never granted
 * @param steadySeconds how long a demand stays as it is, on the average
 * @param seed of the demand
 */
record MemberSetup(
        Variant variant,
        StoreKind store,
        String uri,
        int port,
        String user,
        String password,
        int first,
        int members,
        int cap,
        int instancesMax,
        int reserve,
        int steadySeconds,
        long seed) {
    private static final String BETWEEN = "\t";

    /** As one line. */
    String line() {
        return Stream.of(
                        variant.name(),
                        store.name(),
                        uri,
                        port,
                        user,
                        password,
                        first,
                        members,
                        cap,
                        instancesMax,
                        reserve,
                        steadySeconds,
                        seed)
                .map(String::valueOf)
                .collect(Collectors.joining(BETWEEN));
    }

    static MemberSetup of(String line) {
        String[] words = line.split(BETWEEN, -1);
        return new MemberSetup(
                Variant.valueOf(words[0]),
                StoreKind.valueOf(words[1]),
                words[2],
                Integer.parseInt(words[3]),
                words[4],
                words[5],
                Integer.parseInt(words[6]),
                Integer.parseInt(words[7]),
                Integer.parseInt(words[8]),
                Integer.parseInt(words[9]),
                Integer.parseInt(words[10]),
                Integer.parseInt(words[11]),
                Long.parseLong(words[12]));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return variant + ", " + List.of(first, members);
    }
}
