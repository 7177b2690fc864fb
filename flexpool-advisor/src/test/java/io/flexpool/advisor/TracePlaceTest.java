// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory in which another user may have placed files and links. */
class TracePlaceTest {
    private static final String PRECIOUS = "precious";

    @TempDir
    private Path folder;

    @TempDir
    private Path elsewhere;

    private Path victim;

    @BeforeEach
    void linksAreSupported() throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
        victim = Files.writeString(elsewhere.resolve("victim.conf"), PRECIOUS);
    }

    private Path link(String name, Path target) throws IOException {
        return Files.createSymbolicLink(folder.resolve(name), target);
    }

    /** Records until the file was full once. */
    private Path record(long mostBytes) throws IOException {
        try (TracePlace place = TracePlace.take(folder, "orders");
                TraceWriter writer = new TraceWriter(place.file, Map.of(), mostBytes, false)) {
            for (int request = 0;
                    !Files.isRegularFile(TraceWriter.older(place.file), LinkOption.NOFOLLOW_LINKS);
                    request++) {
                writer.add(request, 1, 1, Ending.RELEASED, "shop.Orders.find", 7, false);
            }
            return place.file;
        }
    }

    private void assertNothingIsWrittenElsewhere() throws IOException {
        assertThat(victim).hasContent(PRECIOUS);
        try (var files = Files.list(elsewhere)) {
            assertThat(files).containsExactly(victim);
        }
    }

    @Test
    void aDanglingLinkIsReplacedAndNotFollowed() throws IOException {
        link("orders.fpt", elsewhere.resolve("fresh"));
        link("orders.fpt.1", elsewhere.resolve("fresh.1"));
        link("orders.before.fpt", elsewhere.resolve("fresh.before"));
        link("orders.before.fpt.1", elsewhere.resolve("fresh.before.1"));
        Path file = record(65_536);
        assertThat(file).hasFileName("orders.fpt");
        assertThat(Files.isSymbolicLink(file)).isFalse();
        record(65_536);
        assertNothingIsWrittenElsewhere();
        try (var files = Files.list(folder)) {
            assertThat(files).noneMatch(Files::isSymbolicLink);
        }
    }

    @Test
    void aLinkToAFileIsReplacedAndNotFollowed() throws IOException {
        link("orders.fpt", victim);
        link("orders.fpt.1", victim);
        link("orders.before.fpt", victim);
        link("orders.before.fpt.1", victim);
        record(65_536);
        record(65_536);
        assertNothingIsWrittenElsewhere();
        try (var files = Files.list(folder)) {
            assertThat(files).noneMatch(Files::isSymbolicLink);
        }
    }

    @Test
    void aSecondNameOfAFileIsNotWrittenTo() throws IOException {
        Files.createLink(folder.resolve("orders.fpt"), victim);
        record(65_536);
        assertNothingIsWrittenElsewhere();
    }

    @Test
    void aLockThatIsALinkIsNotFollowedAndAnotherPlaceIsTaken() throws IOException {
        link("orders.lock", elsewhere.resolve("fresh"));
        link("orders-2.lock", victim);
        assertThat(record(65_536)).hasFileName("orders-3.fpt");
        assertNothingIsWrittenElsewhere();
    }

    @Test
    void onlyItsUserReadsWhatIsRecorded() throws IOException {
        record(65_536);
        record(65_536);
        try (var files = Files.list(folder)) {
            assertThat(files)
                    .hasSize(5)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }
}
