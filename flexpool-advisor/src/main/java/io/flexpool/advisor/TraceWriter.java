// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Writes requests into a file while they happen. What {@link #flush()} has returned for is in the file; a program that ends
 * at any moment loses what came after that, and nothing else. For one thread.
 *
 * <p>The file takes at most half of the allowed bytes; then it is renamed to the same name with {@code .1}, which replaces
 * the one before, and a new one begins. A reader reads both.
 */
public final class TraceWriter implements Closeable {
    private static final int SMALLEST = 65_536;
    private static final int BLOCK_BYTES = 32_768;
    /** A block has no more than so many in addition: one call site, one request and what is around them. */
    private static final int MORE_BYTES = TraceFormat.LONGEST_TEXT + 200;

    private static final int SITE_BITS = 2;

    private final Path file;
    private final Map<String, String> header;
    private final long mostBytes;
    private final int blockBytes;
    private final boolean anonymous;
    /** Whether the pool has classes: then each call site has one. */
    private final boolean withClasses;
    /** The numbers of call sites, by class and then by name. */
    private final Map<String, Map<String, Integer>> sites = new HashMap<>();

    private int siteCount;
    /** Of these the present file has the names. */
    private int writtenSites;
    /** Whether the file before has been renamed, and the next one could not begin. */
    private boolean between;

    private String currentClass = "";
    private final ByteArrayOutputStream requests = new ByteArrayOutputStream();
    private final ByteArrayOutputStream newSites = new ByteArrayOutputStream();
    private int count;
    private int newCount;
    private long lastArrival;
    private long lost;
    private FileChannel channel;

    /**
     * Begins a file, and replaces a file or a link of the same name. Only the user of this program can read it, where the
     * file system has such permissions.
     *
     * @param file where
     * @param header what a reader should know of the pool: its name, its size, its timeout, and as {@code classes} the names of
     *     its classes, without which the classes of requests are left out; no secret
     * @param mostBytes how many bytes this file and the one before may take, at least 65,536
     * @param anonymous whether call sites are left out
     * @throws IOException if the file cannot be written
     * @throws IllegalArgumentException if {@code mostBytes} is too small
     */
    public TraceWriter(Path file, Map<String, String> header, long mostBytes, boolean anonymous) throws IOException {
        if (mostBytes < SMALLEST) {
            throw new IllegalArgumentException("mostBytes = " + mostBytes + ": must be at least " + SMALLEST);
        }
        this.file = file;
        this.header = new TreeMap<>(header);
        this.withClasses = header.containsKey(ClassLimits.CLASSES);
        this.mostBytes = mostBytes;
        this.blockBytes = (int) Math.min(BLOCK_BYTES, mostBytes / 8);
        this.anonymous = anonymous;
        Files.deleteIfExists(older(file));
        this.channel = begin();
    }

    /** The file that was full before this one. */
    static Path older(Path file) {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    private FileChannel begin() throws IOException {
        FileChannel begun = PrivateFile.create(file);
        try {
            ByteBuffer start = ByteBuffer.allocate(TraceFormat.START_BYTES);
            writeAll(
                    begun,
                    start.putInt(TraceFormat.MAGIC)
                            // A pool without classes writes what older programs read.
                            .putInt(withClasses ? TraceFormat.WITH_CLASSES : TraceFormat.WITHOUT_CLASSES)
                            .flip());
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            TraceFormat.write(content, header.size());
            header.forEach((name, value) -> {
                TraceFormat.write(content, name);
                TraceFormat.write(content, value);
            });
            writeBlock(begun, TraceFormat.HEADER, content.toByteArray());
            return begun;
        } catch (IOException | RuntimeException | Error e) {
            begun.close();
            throw e;
        }
    }

    /**
     * The requests that are added from now on are of a class.
     *
     * @param name its name; empty for none, as it is at first
     * @return this
     */
    public TraceWriter inClass(String name) {
        currentClass = withClasses ? name : "";
        return this;
    }

    /**
     * Adds a request; as {@link LeaseTrace.Builder#add}.
     *
     * @param arrivalNanos when it asked
     * @param waitNanos how long it waited, 0 or more
     * @param leaseNanos how long its lease was, 0 or more
     * @param how how it ended
     * @param callSite where it was made; empty if that is not known
     * @param threadNumber identifies its thread; 0 if that is not known
     * @param nested whether its thread held another connection
     * @throws IOException if a full block cannot be written
     */
    public void add(
            long arrivalNanos,
            long waitNanos,
            long leaseNanos,
            Ending how,
            String callSite,
            long threadNumber,
            boolean nested)
            throws IOException {
        int site = site(anonymous ? "" : callSite);
        // Requests come in the order of their ends, so a difference may be negative: the sign goes into the last bit.
        long difference = count == 0 ? arrivalNanos : arrivalNanos - lastArrival;
        lastArrival = arrivalNanos;
        TraceFormat.write(requests, (difference << 1) ^ (difference >> (Long.SIZE - 1)));
        TraceFormat.write(requests, waitNanos);
        TraceFormat.write(requests, leaseNanos);
        TraceFormat.write(requests, (long) site << SITE_BITS | how.code);
        TraceFormat.write(requests, threadNumber << 1 | (nested ? 1 : 0));
        count++;
        if (requests.size() + newSites.size() >= blockBytes) {
            flush();
        }
    }

    /**
     * Adds that requests have ended which could not be recorded.
     *
     * @param requests how many, 0 or more
     */
    public void addLost(long requests) {
        lost += requests;
    }

    /** What was added and is not written is lost, and is counted: memory ran out, and a part of it may be missing. */
    void discard() {
        lost += count;
        requests.reset();
        newSites.reset();
        count = 0;
        newCount = 0;
        sites.clear();
        siteCount = writtenSites;
    }

    private int site(String name) {
        Map<String, Integer> sitesOfClass = sites.computeIfAbsent(currentClass, any -> new HashMap<>());
        Integer known = sitesOfClass.get(name);
        if (known == null) {
            known = siteCount++;
            sitesOfClass.put(name, known);
            TraceFormat.write(newSites, name);
            if (withClasses) {
                TraceFormat.write(newSites, currentClass);
            }
            newCount++;
        }
        return known;
    }

    /**
     * Writes what was added into the file, as one block, two if requests were lost.
     *
     * @throws IOException if it cannot be written; what was added stays for the next call
     */
    public void flush() throws IOException {
        if (between) {
            channel = begin();
            between = false;
        }
        if (lost > 0) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            TraceFormat.write(content, lost);
            append(TraceFormat.LOST, content);
            lost = 0;
        }
        if (count == 0) {
            return;
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        TraceFormat.write(content, newCount);
        content.writeBytes(newSites.toByteArray());
        TraceFormat.write(content, count);
        content.writeBytes(requests.toByteArray());
        append(TraceFormat.REQUESTS, content);
        requests.reset();
        newSites.reset();
        count = 0;
        newCount = 0;
        writtenSites = siteCount;
        if (channel.position() + blockBytes + MORE_BYTES > mostBytes / 2) {
            rotate();
        }
    }

    private void append(byte kind, ByteArrayOutputStream content) throws IOException {
        long begin = channel.position();
        try {
            writeBlock(channel, kind, content.toByteArray());
        } catch (IOException | RuntimeException | Error e) {
            // A part of a block in the middle of the file would hide what follows.
            channel.truncate(begin);
            throw e;
        }
    }

    private void rotate() throws IOException {
        channel.close();
        Files.move(file, older(file), StandardCopyOption.REPLACE_EXISTING);
        // Each file names its call sites itself.
        sites.clear();
        siteCount = 0;
        writtenSites = 0;
        between = true;
        channel = begin();
        between = false;
    }

    private static void writeBlock(FileChannel to, byte kind, byte[] content) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(TraceFormat.BEFORE_CONTENT + content.length + TraceFormat.AFTER_CONTENT);
        block.put(kind).putInt(content.length).put(content);
        CRC32C crc = new CRC32C();
        crc.update(block.slice(0, block.position()));
        block.putInt((int) crc.getValue()).flip();
        writeAll(to, block);
    }

    private static void writeAll(FileChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    /**
     * Writes what was added, and closes the file.
     *
     * @throws IOException if it cannot be written
     */
    @Override
    public void close() throws IOException {
        try {
            flush();
        } finally {
            channel.close();
        }
    }
}
