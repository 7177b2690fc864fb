// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerSnapshotTest {
    private static ServerSession asked(long id, Long... blockers) {
        return ServerSession.of(id).asked(true).blockedBy(List.of(blockers)).build();
    }

    private static ServerSession other(long id, Long... blockers) {
        return ServerSession.of(id).blockedBy(List.of(blockers)).build();
    }

    private static List<Long> taken(List<ServerSession> all) {
        return ServerSnapshot.of("test").sessions(all).build().sessions().stream()
                .map(ServerSession::id)
                .toList();
    }

    @Test
    void thoseAskedForAndTheirBlockersAreTaken() {
        assertThat(taken(List.of(other(9), other(3), asked(1, 3L), asked(2, 3L), other(8, 3L))))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void aChainIsFollowedOverFiveSteps() {
        assertThat(taken(List.of(
                        other(7),
                        other(6, 7L),
                        other(5, 6L),
                        other(4, 5L),
                        other(3, 4L),
                        other(2, 3L),
                        other(1, 2L),
                        asked(0, 1L))))
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void sessionsThatBlockEachOtherAreTakenOnce() {
        assertThat(taken(List.of(asked(1, 2L), other(2, 1L, 3L), other(3, 2L)))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aBlockerThatTheServerDoesNotDescribeIsLeftOut() {
        assertThat(taken(List.of(asked(1, 99L)))).containsExactly(1L);
    }

    @Test
    void atMostTwoHundredAreTakenThoseAskedForFirst() {
        List<ServerSession> all = new ArrayList<>();
        for (long id = 1_000; id < 1_150; id++) {
            all.add(other(id));
        }
        for (long id = 0; id < 150; id++) {
            all.add(asked(id, 1_000 + id));
        }
        assertThat(taken(all)).hasSize(200).startsWith(0L, 1L).endsWith(1_049L).doesNotHaveDuplicates();
    }

    @Test
    void foreignWordsAreMadePlain() {
        ServerSession session = ServerSession.of(1)
                .client("a\nb\u0007", " ")
                .login("user", null)
                .statement("create user x identified by 'secret'")
                .build();
        assertThat(session.application()).doesNotContain("\n", "\u0007");
        assertThat(session.address()).isNull();
        assertThat(session.statement()).doesNotContain("secret");
        assertThat(ServerSnapshot.of("test")
                        .sessionsByApplication(Map.of("a\nb", 3))
                        .build()
                        .sessionsByApplication()
                        .keySet())
                .noneMatch(name -> name.contains("\n"));
    }
}
