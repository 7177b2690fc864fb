// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Answers.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;

import io.flexpool.event.PoolEvent.Kind;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoolListenerTest {
    /** The interfaces of {@link PoolEvent} that are events, without those that several extend. */
    static List<Class<?>> kinds() {
        return Arrays.stream(PoolEvent.class.getDeclaredClasses())
                .filter(PoolEvent.class::isAssignableFrom)
                .filter(type -> type != PoolEvent.WithState.class && type != PoolEvent.RequestFailed.class)
                .toList();
    }

    @Test
    void eachKindHasItsEvent() {
        assertThat(kinds().stream().map(type -> ((PoolEvent) mock(type, CALLS_REAL_METHODS)).kind()))
                .containsExactlyInAnyOrder(Kind.values());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anEventReachesTheMethodOfItsKind(Class<? extends PoolEvent> type) throws Exception {
        PoolListener listener = mock(PoolListener.class, CALLS_REAL_METHODS);
        Method own = PoolListener.class.getMethod("on" + type.getSimpleName(), type);
        listener.onEvent(mock(type, CALLS_REAL_METHODS));
        assertThat(mockingDetails(listener).getInvocations())
                .extracting(call -> call.getMethod())
                .containsExactly(PoolListener.class.getMethod("onEvent", PoolEvent.class), own);
    }
}
