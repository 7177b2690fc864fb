// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent.Kind;
import io.flexpool.internal.event.Events;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;
import org.mockito.Mockito;

class PoolListenerTest {
    private static Stream<Class<?>> typesIn(Class<?> outer) {
        return Arrays.stream(outer.getDeclaredClasses()).filter(PoolEvent.class::isAssignableFrom);
    }

    @Test
    void eachKindHasItsType() {
        assertThat(typesIn(PoolEvent.class)).hasSameSizeAs(Kind.values());
        assertThat(typesIn(Events.class)
                        .map(type -> ((PoolEvent) Mockito.mock(type, Answers.CALLS_REAL_METHODS)).kind()))
                .containsExactlyInAnyOrder(Kind.values());
    }

    @Test
    void eachTypeIsMadeByOneRecord() {
        assertThat(typesIn(Events.class).flatMap(type -> Arrays.stream(type.getInterfaces())))
                .containsExactlyInAnyOrderElementsOf(typesIn(PoolEvent.class).toList());
    }

    /** As the README of a migration shows it: a listener is a lambda. */
    @Test
    void aListenerIsALambda() {
        StringBuilder seen = new StringBuilder();
        PoolListener listener = event -> seen.append(event.kind());
        listener.onEvent(Mockito.mock(Events.LeaseLong.class, Answers.CALLS_REAL_METHODS));
        assertThat(seen).hasToString("long-lease");
    }
}
