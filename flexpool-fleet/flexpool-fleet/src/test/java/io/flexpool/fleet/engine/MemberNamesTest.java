// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.fleet.Renewal;
import io.flexpool.fleet.engine.FleetGrantState.MemberNames;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemberNamesTest {
    private static final Instant BEGUN = Instant.parse("2026-11-26T10:11:12Z");

    private Optional<Instant> started = Optional.of(BEGUN);

    private MemberNames names(String pool) {
        return new MemberNames(pool, new SecureRandom(), () -> started);
    }

    /** The random part is the same length as 128 bits, whatever the pool's name. */
    @Test
    void eachNameHas128RandomBits() {
        for (String pool : new String[] {"orders", "x".repeat(200)}) {
            MemberNames names = names(pool);
            Set<String> seen = new HashSet<>();
            int most = 0;
            for (int at = 0; at < 200; at++) {
                String name = names.get();
                assertThat(name).startsWith(pool.substring(0, 5)).hasSizeLessThanOrEqualTo(Renewal.LONGEST_NAME);
                assertThat(Renewal.name(name)).isEqualTo(name);
                BigInteger random = new BigInteger(name.substring(name.lastIndexOf('-') + 1), Character.MAX_RADIX);
                most = Math.max(most, random.bitLength());
                seen.add(name);
            }
            assertThat(seen).hasSize(200);
            assertThat(most).isEqualTo(128);
        }
    }

    /** The system starts another process, and all that this one remembers is as it was. */
    @Test
    void aProcessThatWasStartedAtAnotherTimeWasRestored() {
        MemberNames names = names("orders");
        assertThat(names.restored()).isFalse();
        started = Optional.of(BEGUN.plusSeconds(3_600));
        assertThat(names.restored()).isTrue();
        assertThat(names.restored()).isFalse();
    }

    @Test
    void thisProcessWasNot() {
        MemberNames names = new MemberNames("orders", new SecureRandom(), MemberNames::processStart);
        assertThat(MemberNames.processStart()).isPresent();
        assertThat(names.restored()).isFalse();
    }
}
